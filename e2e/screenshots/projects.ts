// Three small repositories for the pictures: real git, real files, programs that really run.
import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export const PROJECTS = ["shop", "ledger", "atlas"] as const;
export type Project = (typeof PROJECTS)[number];

/** One commit: its subject and the files that it writes. */
type Commit = [subject: string, files: Record<string, string>];

const SHOP: Commit[] = [
  ["Start the shop", { "README.md": "# shop\n\nProducts, a cart, a checkout.\n" }],
  [
    "List products by category",
    {
      "src/products.ts": "export const byCategory = (all, name) => all.filter((p) => p.category === name);\n",
    },
  ],
  [
    "Keep the cart when a person signs in",
    { "src/cart.ts": "export const merge = (a, b) => [...a, ...b];\n" },
  ],
  [
    "Add up the cart in cents, not in floats",
    {
      "src/totals.ts":
        "export const total = (lines) => lines.reduce((sum, l) => sum + l.cents * l.count, 0);\n",
    },
  ],
  ["Run the tests on every push", { "scripts/test": testProgram() }],
  ["Serve pages while they change", { "scripts/dev": devProgram() }],
  [
    "Round the tax once, at the end",
    { "src/tax.ts": "export const tax = (cents) => Math.round(cents * 0.19);\n" },
  ],
];

const LEDGER: Commit[] = [
  ["Accounts and entries", { "README.md": "# ledger\n\nEvery entry has two sides.\n" }],
  [
    "Refuse an entry that does not balance",
    { "src/entry.rs": "pub fn balances(lines: &[i64]) -> bool { lines.iter().sum::<i64>() == 0 }\n" },
  ],
  [
    "Export a month as CSV",
    {
      "src/export.rs":
        'pub fn month(year: i32, month: u32, currency: &str) -> String {\n    format!("{year}-{month:02}")\n}\n',
    },
  ],
  ["Build and deploy from one place", { "scripts/build": buildProgram(), "scripts/deploy": deployProgram() }],
];

const ATLAS: Commit[] = [
  ["A first page", { "README.md": "# atlas\n\nThe handbook of everything we run.\n" }],
  ["How to get in", { "guide/access.md": accessPage() }],
  ["What to do at three in the morning", { "guide/on-call.md": onCallPage() }],
];

/** Makes the repositories below `home`, with a neutral author and fixed dates. */
export async function makeProjects(home: string): Promise<void> {
  await writeFile(
    join(home, ".gitconfig"),
    "[user]\n\tname = Ada Moss\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n",
  );
  await Promise.all([
    makeProject(home, "shop", SHOP),
    makeProject(home, "ledger", LEDGER),
    makeProject(home, "atlas", ATLAS),
  ]);
}

async function makeProject(home: string, name: Project, commits: Commit[]): Promise<void> {
  const root = join(home, name);
  const git = (at: number, ...args: string[]) => {
    const date = new Date(Date.UTC(2026, 2, 2 + at, 9, 30)).toISOString();
    const env = { PATH: process.env.PATH, HOME: home, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return promisify(execFile)("git", ["-C", root, ...args], { env });
  };
  await mkdir(root);
  await git(0, "init", "-q");
  for (const [at, [subject, files]] of commits.entries()) {
    for (const [path, text] of Object.entries(files)) await writeProjectFile(join(root, path), text);
    await git(at, "add", "-A");
    await git(at, "commit", "-q", "-m", subject);
  }
}

async function writeProjectFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  if (text.startsWith("#!")) await chmod(path, 0o755);
}

/** A test run that is slow at its last file: long enough to be looked at. */
function testProgram(): string {
  return `#!/bin/sh
pass() { printf '\\033[32m✓\\033[0m %s \\033[2m(%s ms)\\033[0m\\n' "$1" "$2"; sleep 0.1; }
pass "products are listed by category" 12
pass "a product without a category is listed last" 4
pass "the cart survives a sign-in" 38
pass "two carts are merged line by line" 9
pass "totals are whole cents" 3
pass "tax is rounded once" 2
printf '\\033[33m…\\033[0m checkout in a real browser\\n'
exec sleep 900
`;
}

function devProgram(): string {
  return `#!/bin/bash
printf '\\033[36mshop\\033[0m serving on \\033[1mhttp://localhost:5173\\033[0m\\n\\n'
paths=(/ /products /products?category=lamps /assets/app.js /cart /api/cart /products/42 /checkout)
for ((n = 0; ; n++)); do
  printf '\\033[2m%s\\033[0m GET %-26s \\033[32m200\\033[0m \\033[2m%3s ms\\033[0m\\n' "#$((n + 1))" "\${paths[n % 8]}" "$((n * 7 % 40 + 3))"
  if ((n < 9)); then sleep 0.05; else sleep 20; fi
done
`;
}

function buildProgram(): string {
  return `#!/bin/sh
step() { printf '\\033[1;32m%12s\\033[0m %s\\n' "$1" "$2"; sleep 0.1; }
step Compiling "money v0.4.2"
step Compiling "calendar v1.1.0"
step Compiling "csv-lines v0.9.7"
step Compiling "ledger-core v0.12.0"
printf '\\033[1;33mwarning\\033[0m: unused variable: \\033[1mcurrency\\033[0m\\n  --> src/export.rs:14:9\\n'
step Compiling "ledger v0.12.0 (~/ledger)"
step Finished "release [optimized] in 41.7 s"
step Running "3 of 3 checks passed"
exec sleep 900
`;
}

/** Says in band, by OSC 7501, how far it is: kolu knows nothing of this program. */
function deployProgram(): string {
  return `#!/bin/sh
say() { printf '\\033]7501;state=working:app=deploy:progress=%s:msg=%s\\033\\\\' "$1" "$(printf %s "$2" | base64)"; }
say 10 "Uploading"
echo "→ uploading ledger 0.12.0 (18.2 MB)"
sleep 0.3
say 35 "eu-west"
printf '\\n\\033[1meu-west\\033[0m\\n  eu-west-1  \\033[32m✓\\033[0m  5 s\\n  eu-west-2  \\033[32m✓\\033[0m  4 s\\n  eu-west-3  \\033[32m✓\\033[0m  7 s\\n\\n\\033[1mus-east\\033[0m\\n'
sleep 0.3
say 62 "us-east"
printf '  us-east-1  \\033[32m✓\\033[0m  4 s\\n  us-east-2  \\033[32m✓\\033[0m  6 s\\n  us-east-3  \\033[33m…\\033[0m  draining connections\\n'
exec sleep 900
`;
}

function accessPage(): string {
  return `# Access

Everybody signs in with their own key. Nobody shares one.

1. Make a key:

       ssh-keygen -t ed25519 -C you@example.com

2. Send the public half to #access.
3. Wait for the green tick, then:

       ssh bastion.example.com

## When it does not work

- *Permission denied*: the key is not there yet. Ask in #access.
- *Connection timed out*: you are not on the VPN.
- *Host key changed*: stop, and call the person on duty.
`;
}

function onCallPage(): string {
  return `# On call

Breathe. Most alarms are one of four things.

| alarm         | look at         | then                         |
| ------------- | --------------- | ---------------------------- |
| queue grows   | the workers     | restart the oldest one       |
| disk full     | /var/log        | rotate, then find out who    |
| slow checkout | the ledger      | is a month being exported?   |
| certificate   | the expiry date | renew, then write it up      |

Write down what you did *while* you do it.
`;
}

import { expect, test } from "vitest";
import { findings, type Seen } from "./findings.ts";

const answers = { state: "answers" as const, buildId: "1.0.0", pid: 7, protocol: "1.0", older: false };
const WELL: Seen = {
  nodeVersion: "24.22.3",
  platform: "linux",
  stateRoot: "/s",
  namedBy: "discovery",
  stateRootMode: 0o40700,
  runtime: "/r",
  runtimeMode: 0o40700,
  padi: answers,
  kaval: answers,
  ourBuild: "1.0.0",
  ourProtocol: "1.0",
  webServers: [{ url: "http://127.0.0.1:7681", pid: 9 }],
  ghSignedIn: true,
  programs: { git: "/usr/bin/git", ssh: "/usr/bin/ssh", gh: "/usr/bin/gh", claude: "/usr/bin/claude" },
  shell: "/bin/zsh",
  locale: "de_DE.UTF-8",
  others: [],
};

test("a kolu that is well has nothing to mend", () => {
  const all = findings(WELL);
  expect(all.filter(({ grade, fix }) => grade !== "well" || fix !== null)).toEqual([]);
});

const cases: Record<string, [changes: Partial<Seen>, what: string, grade: string, fix: RegExp]> = {
  "an older Node": [{ nodeVersion: "24.20.0" }, "Node", "wrong", /24\.21 or newer/],
  "a state root that others may read": [{ stateRootMode: 0o40755 }, "state root", "wrong", /^chmod 700 \/s$/],
  "no padi": [{ padi: { state: "absent" } }, "padi", "note", /kolu web/],
  "a padi that hangs": [{ padi: { state: "mute", pid: 44 } }, "padi", "wrong", /kill 44 \(terminals keep/],
  "a kaval that hangs": [{ kaval: { state: "mute", pid: 45 } }, "kaval", "wrong", /ends every terminal/],
  "an older padi": [
    { padi: { ...answers, buildId: "0.9.0", older: true } },
    "padi",
    "note",
    /replaces an older padi/,
  ],
  "a padi of another wire": [
    { padi: { ...answers, buildId: "0.9.0", protocol: "0.9" } },
    "padi",
    "wrong",
    /replaces/,
  ],
  "no page": [{ webServers: [] }, "web", "note", /kolu web/],
  "no git": [{ programs: { ...WELL.programs, git: null } }, "git", "note", /Install git/],
  "no gh": [{ programs: { ...WELL.programs, gh: null }, ghSignedIn: null }, "gh", "note", /gh auth login/],
  "a gh that is not signed in": [{ ghSignedIn: false }, "gh", "note", /^gh auth login/],
  "no agent": [{ programs: { git: "/g", ssh: "/s" } }, "agents", "note", /Install a coding agent/],
  "a shell without marks": [{ shell: "/bin/dash" }, "shell", "note", /bash, zsh, fish/],
  "no UTF-8": [{ locale: "C" }, "locale", "wrong", /LANG=C\.UTF-8/],
  "other kolus": [{ others: ["/other"] }, "other kolus", "note", /--state-root/],
};

test.each(Object.entries(cases))("%s is said, with what to do", (_title, [changes, what, grade, fix]) => {
  const finding = findings({ ...WELL, ...changes }).find((one) => one.what === what);
  expect(finding).toMatchObject({ grade, fix: expect.stringMatching(fix) });
});

// What the agents of the pictures are asked and what the stand-in model answers: natural words instead of the directives
// that tests use. Everything that Claude Code does with the answers, it really does.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Reply, replyTo } from "../stand-in-model/script.ts";
import type { ToolUse } from "../stand-in-model/tools.ts";
import { PROJECTS } from "./projects.ts";

/** Longer than the pictures take. */
const FOR_EVER_MS = 900_000;
const KEY = "a-key-that-opens-nothing-at-all";

interface Conversation {
  /** What is typed. */
  prompt: string;
  /** What the session is called, said when Claude Code is started. */
  title: string;
  /** One reply after the other; the last one holds. */
  replies: Reply[];
}

const say = (text: string, streamMs = 200): Reply => ({ kind: "text", text, thinkMs: 0, streamMs });
const use = (text: string | null, ...uses: ToolUse[]): Reply => ({
  kind: "tools",
  uses,
  text,
  thinkMs: 0,
  streamMs: 200,
});
const bash = (command: string, description: string): ToolUse => ({
  name: "Bash",
  input: { command, description },
});

export const CONVERSATIONS = {
  thinking: {
    prompt: "The cart total is off by a cent when there are two tax rates. Find out why.",
    title: "Cart total off by a cent",
    replies: [
      use(
        "I'll look at how totals and tax are added up.",
        bash("cat src/totals.ts src/tax.ts", "Read totals and tax"),
      ),
      use(
        "Both round. Let me see when that came in.",
        bash("git log --oneline -4 -- src", "History of the sources"),
      ),
      use("Tax is rounded for each rate, and two halves of a cent make one. I'll round once, at the end.", {
        name: "Read",
        input: { file_path: "~/shop/src/tax.ts" },
      }),
      use(null, {
        name: "Edit",
        input: {
          file_path: "~/shop/src/tax.ts",
          old_string: "export const tax = (cents) => Math.round(cents * 0.19);",
          new_string:
            "const exact = (lines) => lines.reduce((sum, l) => sum + l.cents * l.rate, 0);\n\n/** Rounded once, for the whole cart. */\nexport const tax = (lines) => Math.round(exact(lines));",
        },
      }),
      use("Now a test with two rates in one cart.", {
        name: "Write",
        input: {
          file_path: "~/shop/src/tax.test.ts",
          content:
            'test("two rates in one cart are rounded once", () => {\n  const lines = [\n    { cents: 350, rate: 0.07 },\n    { cents: 950, rate: 0.19 },\n  ];\n  expect(tax(lines)).toBe(205);\n});\n',
        },
      }),
      say(
        "That is the cause: 24.5 cents and 180.5 cents were both rounded up, which makes 206 instead of 205. ".repeat(
          8,
        ),
        FOR_EVER_MS,
      ),
    ],
  },
  tools: {
    prompt: "Run the tests and tell me what is slow.",
    title: "What makes the tests slow",
    replies: [use("Running them all.", bash("./scripts/test", "Run all tests"))],
  },
  question: {
    prompt: "Split the checkout into steps.",
    title: "Checkout in steps",
    replies: [
      use(null, {
        name: "AskUserQuestion",
        input: {
          questions: [
            {
              question: "Where should a guest be asked for the email address?",
              header: "Email",
              multiSelect: false,
              options: [
                { label: "First step", description: "A left cart can be brought back" },
                { label: "Last step", description: "Fewer people leave at once" },
              ],
            },
          ],
        },
      }),
    ],
  },
  permission: {
    prompt: "Say in the export which currency it is.",
    title: "Currency in exports",
    replies: [
      use("I'll read the export first.", { name: "Read", input: { file_path: "~/ledger/src/export.rs" } }),
      use(null, {
        name: "Edit",
        input: {
          file_path: "~/ledger/src/export.rs",
          old_string: '    format!("{year}-{month:02}")',
          new_string: '    format!("{year}-{month:02},{currency}")',
        },
      }),
    ],
  },
  finished: {
    prompt: "Is the on-call page still right?",
    title: "Check the on-call page",
    replies: [
      use(null, bash("cat guide/on-call.md", "Read the page")),
      say(
        "Two things have changed since it was written:\n\n1. The queue restarts its workers by itself now.\n2. Certificates renew on their own, all but the one of the bastion.\n\nThe rest is right. Shall I rewrite those two rows?",
      ),
    ],
  },
  background: {
    prompt: "Look through all exports for a month without entries.",
    title: "Months without entries",
    replies: [
      use("I'll send somebody through the exports.", {
        name: "Agent",
        input: {
          description: "Read every export",
          prompt: "Read every export and list the months without entries.",
          subagent_type: "general-purpose",
          run_in_background: true,
        },
      }),
      say("One sub-agent reads the exports; I'll come back with what it finds."),
    ],
  },
} satisfies Record<string, Conversation>;

/** The script of the stand-in model. */
export const answer: typeof replyTo = (prompt, repliesSince) => {
  const conversation: Conversation | undefined = Object.values<Conversation>(CONVERSATIONS).find((one) =>
    prompt.includes(one.prompt),
  );
  if (prompt.includes("Read every export and")) return say("Reading. ".repeat(300), FOR_EVER_MS);
  return (
    conversation?.replies[Math.min(repliesSince, conversation.replies.length - 1)] ??
    say("Reads every export")
  );
};

/** Claude Code as somebody has it who has used it before: no dialogs of a first start, and the stand-in model. */
export async function settleClaude(
  home: string,
  { bin, modelUrl }: { bin: string; modelUrl: string },
): Promise<void> {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const roots = [...PROJECTS, join("shop", ".worktrees", "checkout-steps")].map((project) =>
    join(home, project),
  );
  const config = {
    hasCompletedOnboarding: true,
    theme: "dark-ansi",
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: Object.fromEntries(roots.map((root) => [root, trusted])),
  };
  await writeFile(join(home, ".claude.json"), JSON.stringify(config));
  await mkdir(join(home, ".claude"));
  // Without auto mode: it would ask to be made the default.
  const permissions = {
    defaultMode: "default",
    disableAutoMode: "disable",
    allow: ["Bash(./scripts/test)", "Edit(~/shop/**)"],
  };
  await writeFile(
    join(home, ".claude", "settings.json"),
    JSON.stringify({ permissions, disableAutoMode: "disable" }),
  );
  const environment = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  };
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'\n`);
  const prompt = `PS1='\\[\\e[34m\\]\\w\\[\\e[0m\\] $ '\n`;
  await writeFile(join(home, ".bashrc"), `${exports.join("")}${prompt}`);
}

import { describe, expect, test } from "vitest";
import { pageFileName } from "./file-name.ts";
import { renderPage } from "./page.ts";
import { SAMPLE, SAMPLE_OPTIONS } from "./test-transcript.ts";

const full = renderPage(SAMPLE, { ...SAMPLE_OPTIONS, mode: "full" });
const chat = renderPage(SAMPLE, { ...SAMPLE_OPTIONS, mode: "chat" });

// To renew after a change that is meant: vitest run --project unit packages/transcript -u, then look at the files.
test("the whole page, full", () => expect(full).toMatchFileSnapshot("fixtures/sample-full.html"));
test("the whole page, chat", () => expect(chat).toMatchFileSnapshot("fixtures/sample-chat.html"));

describe("full", () => {
  test("tokens, directory and session are told; numbers are grouped", () => {
    for (const said of [
      "1\u202f204\u202f500",
      "/home/ana/harbour",
      "eccb0912-455d-47be-a001-10e7369e1abf",
      "2.1.332",
    ])
      expect(full).toContain(said);
  });

  test("what is not recorded is not told", () => {
    const usage = { input: null, output: 3, cacheRead: null, cacheWrite: null };
    const page = renderPage({ ...SAMPLE, usage, version: null }, { ...SAMPLE_OPTIONS, mode: "full" });
    expect(page).toContain("Tokens out");
    for (const label of ["Tokens in", "Read from cache", "Version"]) expect(page).not.toContain(label);
  });

  test("calls, reasoning and edits are folded", () => {
    expect(full).not.toContain("<details open");
    expect(full.match(/<details class="fold tool/g)).toHaveLength(8);
    expect(full.match(/<details class="fold reasoning/g)).toHaveLength(2);
    expect(full).toContain('<div class="removed"><span class="sign">−</span>  return 1000;');
  });
});

describe("chat", () => {
  test("prompts, answers and notes stay; what was done is counted", () => {
    for (const said of [
      "Leave the limit.",
      "The delay now doubles",
      "529 Overloaded",
      "5 tool calls, 2 files changed",
    ])
      expect(chat).toContain(said);
  });

  test("nothing tells of the machine, of what was thought, or of what a tool printed", () => {
    for (const kept of ["/home/ana", "eccb0912", "come back together", "npm test", "Tokens in"])
      expect(chat).not.toContain(kept);
  });
});

test("what is missing is said", () => {
  const page = renderPage(
    { ...SAMPLE, skippedRecords: 2, shortenedTexts: 1 },
    { ...SAMPLE_OPTIONS, mode: "full" },
  );
  expect(page).toContain("1 long text cut to fit. 2 records could not be read and are missing.");
  const whole = renderPage({ ...SAMPLE, skippedRecords: 0 }, { ...SAMPLE_OPTIONS, mode: "full" });
  expect(whole).not.toContain("missing.");
});

test("a conversation without a word is a page that says so", () => {
  const page = renderPage({ ...SAMPLE, title: null, items: [] }, { ...SAMPLE_OPTIONS, mode: "chat" });
  expect(page).toContain("<title>A conversation with Claude Code</title>");
  expect(page).toContain("Nothing has been said yet.");
});

test("times are the exporter's", () => {
  const page = renderPage(SAMPLE, { ...SAMPLE_OPTIONS, mode: "full", timeZone: "Asia/Tokyo" });
  expect(page).toContain('<time datetime="2026-11-30T08:54:00.000Z">30 Nov 2026, 17:54</time>');
});

describe("a file's name", () => {
  const cases: Record<string, [title: string | null, mode: "chat" | "full", name: string]> = {
    "is its day and its title": [
      "Stop the reconnect storm",
      "full",
      "2026-11-30-stop-the-reconnect-storm.html",
    ],
    "tells a chat": ["a", "chat", "2026-11-30-a-chat.html"],
    "is never a path": ["../../etc/passwd\u0000", "full", "2026-11-30-etc-passwd.html"],
    "keeps letters of any script": ["修复 кнопку", "full", "2026-11-30-修复-кнопку.html"],
    "of a title of signs is the agent's": ["?!", "full", "2026-11-30-claude-code.html"],
    "without a title is the first prompt's": [
      null,
      "full",
      "2026-11-30-after-a-deploy-every-client-reconnects-in-the-same-second-an.html",
    ],
  };
  for (const [title, [named, mode, name]] of Object.entries(cases))
    test(title, () =>
      expect(pageFileName({ ...SAMPLE, title: named }, { ...SAMPLE_OPTIONS, mode })).toBe(name),
    );
});

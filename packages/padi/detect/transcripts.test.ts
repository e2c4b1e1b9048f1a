import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentPlugins } from "@kolu/agents/plugins.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConversationTooLarge, openTranscripts } from "./transcripts.ts";

const LIMIT_BYTES = 1024 * 1024;

let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync("/tmp/padi-transcripts-");
  path = join(root, "conversation");
  writeFileSync(path, "");
});
afterEach(() => rmSync(root, { recursive: true }));

async function failureOf(agentKind: string): Promise<unknown> {
  const read = openTranscripts(agentPlugins({ HOME: root }));
  const reference = { sessionId: "s-1", sessionPath: path };
  return read(agentKind, reference, { maxFileBytes: LIMIT_BYTES }).then(
    () => null,
    (error: unknown) => error,
  );
}

test("a conversation's own file above the limit is not opened, and its size is said", async () => {
  truncateSync(path, 200 * LIMIT_BYTES);
  const failure = await failureOf("claude-code");
  expect(failure).toBeInstanceOf(ConversationTooLarge);
  expect(failure).toMatchObject({ message: "its conversation takes 200 MiB on disk" });
  truncateSync(path, LIMIT_BYTES);
  expect(await failureOf("claude-code")).not.toBeInstanceOf(ConversationTooLarge);
});

test("a file that holds many conversations says nothing about one of them", async () => {
  truncateSync(path, 200 * LIMIT_BYTES);
  expect(await failureOf("opencode")).not.toBeInstanceOf(ConversationTooLarge);
});

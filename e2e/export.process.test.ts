// `kolu export` end to end: a terminal whose agent has a captured conversation, while it lives and after it died.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { CAPTURED_SESSION, startCapturedAgent, untilRecord } from "./captured-agent.ts";
import { startKolu } from "./start-kolu.ts";

test("a conversation is exported while its agent lives and when its terminal is parked", {
  timeout: 60_000,
}, async () => {
  await using kolu = await startKolu();
  const id = await startCapturedAgent(kolu);

  const exported = await kolu.run(["export", id.slice(0, 8)]);
  expect(exported).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/Claude Code, full: \d+ prompts, /),
  });
  const path = exported.stdout.trim();
  expect(path).toMatch(new RegExp(`^${kolu.home}/2026-11-30-[a-z0-9-]+\\.html$`));
  const page = await readFile(path, "utf8");
  for (const said of ["please say hello", CAPTURED_SESSION, "calm-kindling-wren.md", '<div class="added">'])
    expect(page).toContain(said);
  expect(await kolu.run(["export", id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--force"),
  });

  const { kaval } = await kolu.pids();
  process.kill(kaval!, "SIGKILL");
  await untilRecord(kolu, id, (record) => record.life === "parked");
  const chat = await kolu.ok(["export", id, "--chat", "--output", "-"]);
  expect(chat).toContain("please say hello");
  expect(chat).not.toContain(CAPTURED_SESSION);

  const shell = await kolu.ok(["create", "--toplevel"]);
  expect(await kolu.run(["export", shell])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No agent runs in terminal"),
  });
  await kolu.ok(["kill", shell]);
  expect(await kolu.run(["export", shell])).toMatchObject({ code: 3 });
});

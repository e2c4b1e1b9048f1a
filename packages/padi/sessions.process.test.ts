// Sleep, waking and restores with real daemons: what ends, what comes back, and what is said when it does not.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { CLAUDE_HOME, SESSION } from "./claude-for-test.ts";
import { startPadi } from "./start-padi.ts";

const isActive = (record: TerminalRecord | undefined): record is TerminalRecord => record?.life === "active";

test("an agent that sleeps has ended, and wakes under its id on exactly its conversation", async () => {
  await using padi = await startPadi({ files: CLAUDE_HOME });
  const id = await padi.create({ cwd: padi.home, intent: "nap", run: "claude --model opus 'a prompt'" });
  const awake = await padi.until(
    id,
    (one): one is TerminalRecord =>
      one?.agent?.sessionId === SESSION && one.agent.state === "waiting" && one.command?.running === true,
  );
  expect(await padi.client.call("terminal.sleep", { ids: [id] })).toEqual({ slept: [id], kept: [] });
  const asleep = await padi.until(id, (one): one is TerminalRecord => one?.life === "sleeping");
  expect(asleep).toMatchObject({ pid: null, agent: { sessionId: SESSION, state: "unknown", bucket: null } });
  expect(existsSync(`/proc/${awake.pid}`)).toBe(false);
  expect(await padi.screen(id)).toContain(`on ${SESSION}`);
  // Neither death wakes it, or makes it wait for a restore.
  await padi.killHard();
  await padi.killKavalHard();
  await padi.restart();
  await padi.until(id, (one) => one?.life === "sleeping" && one.agent?.sessionId === SESSION);
  await expect(padi.client.call("terminal.restore", {})).rejects.toMatchObject({
    kind: "nothing-to-restore",
  });
  expect((await padi.client.call("restore.plan", { ids: [id] })).rows).toEqual([
    {
      id,
      agent: {
        kind: "claude-code",
        on: "conversation",
        line: `claude --resume ${SESSION} --model opus`,
      },
      lostAgent: null,
      notRerun: null,
    },
  ]);
  await padi.client.call("terminal.restore", { ids: [id] });
  const back = await padi.until(
    id,
    (one): one is TerminalRecord => one?.agent?.state === "waiting" && one.command?.running === true,
  );
  expect(back).toMatchObject({ life: "active", intent: "nap", agent: { sessionId: SESSION } });
  expect(back.command?.line).toBe(`claude --resume ${SESSION} --model opus`);
  expect((await padi.screen(id)).match(new RegExp(`on ${SESSION}`, "g"))).toHaveLength(2);
});

test("what would be lost by sleep is kept and said, unless a person insists", async () => {
  await using padi = await startPadi();
  const busy = await padi.create({ run: "sleep 1000" });
  const idle = await padi.create();
  await padi.until(busy, (one) => one?.command?.running === true);
  await padi.until(idle, isActive);
  const { slept, kept } = await padi.client.call("terminal.sleep", { ids: [busy, idle] });
  expect(slept).toEqual([idle]);
  expect(kept).toEqual([
    { id: busy, why: "runs", sentence: expect.stringMatching(/^sleep 1000 runs in it/) },
  ]);
  expect(padi.records.get(busy)?.life).toBe("active");
  const forced = await padi.client.call("terminal.sleep", { ids: [busy], force: true });
  expect(forced).toEqual({ slept: [busy], kept: [] });
  await padi.until(busy, (one) => one?.life === "sleeping");
  const { rows } = await padi.client.call("restore.plan", { ids: [busy, idle] });
  expect(rows.map(({ id, notRerun }) => [id, notRerun]).sort()).toEqual(
    [
      [busy, "sleep 1000"],
      [idle, null],
    ].sort(),
  );
});

test("an agent that is not installed any more is said on its row, with what installs it", async () => {
  await using padi = await startPadi({ files: CLAUDE_HOME });
  const id = await padi.create({ cwd: padi.home, run: "claude 'a prompt'" });
  await padi.until(id, (one) => one?.agent?.state === "waiting" && one.agent.sessionId === SESSION);
  await padi.client.call("terminal.sleep", { ids: [id] });
  await rm(join(padi.home, "claude"));
  await padi.client.call("terminal.restore", { ids: [id] });
  const steps: string[] = [];
  for await (const { rows } of padi.client.subscribe("restore.watch", {})) {
    const [row] = rows;
    if (row) steps.push(row.step);
    if (row?.step !== "failed") continue;
    expect(row).toMatchObject({
      id,
      reason: expect.stringMatching(/not installed/),
      mend: "npm install -g @anthropic-ai/claude-code",
    });
    break;
  }
  expect(padi.records.get(id)?.life).toBe("active");
  await padi.client.call("restore.dismiss", {});
  for await (const { rows } of padi.client.subscribe("restore.watch", {})) {
    expect(rows).toEqual([]);
    break;
  }
});

test("starting fresh is taken back whole: arrangement, screen and conversation", async () => {
  await using padi = await startPadi({ files: CLAUDE_HOME });
  const id = await padi.create({ cwd: padi.home, intent: "precious", run: "claude 'a prompt'" });
  const other = await padi.create();
  await padi.until(id, (one) => one?.agent?.sessionId === SESSION && one.agent.state === "waiting");
  await padi.client.call("terminal.sleep", { ids: [id] });
  const fresh = await padi.client.call("workspace.startFresh", { ids: [id, other] });
  // What runs is nobody's to forget.
  expect(fresh.forgot).toEqual([id]);
  await padi.until(id, (one) => one === undefined);
  const { backups } = await padi.client.call("backups.list", {});
  expect(backups[0]).toMatchObject({ name: fresh.snapshot, terminals: 2 });
  const back = await padi.client.call("backups.restore", { name: fresh.snapshot });
  expect(back).toMatchObject({ added: [id], present: [other] });
  const record = await padi.until(id, (one): one is TerminalRecord => one?.life === "sleeping");
  expect(record).toMatchObject({ intent: "precious", agent: { sessionId: SESSION } });
  expect(await padi.screen(id)).toContain(`on ${SESSION}`);
  const { rows } = await padi.client.call("restore.plan", { ids: [id] });
  expect(rows[0]?.agent).toMatchObject({ on: "conversation" });
  // And the other way round again.
  await padi.client.call("backups.restore", { name: back.snapshot, forget: back.added });
  await padi.until(id, (one) => one === undefined);
  expect(padi.records.get(other)?.life).toBe("active");
  await expect(padi.client.call("backups.restore", { name: "../padi.db" })).rejects.toMatchObject({
    kind: "backup-not-found",
  });
});

test("a workspace goes to another machine as a file, and wakes there", async () => {
  await using there = await startPadi({ files: CLAUDE_HOME });
  await using here = await startPadi({ files: CLAUDE_HOME });
  const id = await here.create({
    cwd: here.home,
    intent: "moved",
    run: "SECRET=1 claude --model opus 'a prompt'",
  });
  await here.until(id, (one) => one?.agent?.sessionId === SESSION && one.agent.state === "waiting");
  const text = JSON.stringify(await here.client.call("workspace.export", {})).replaceAll(
    here.home,
    there.home,
  );
  expect(text).not.toContain("SECRET");
  expect(await here.client.call("workspace.import", { text })).toMatchObject({ added: [], present: [id] });
  expect(await there.client.call("workspace.import", { text })).toMatchObject({ added: [id], present: [] });
  await there.until(id, (one) => one?.life === "sleeping" && one.intent === "moved");
  await there.client.call("terminal.restore", { ids: [id] });
  const awake = await there.until(
    id,
    (one): one is TerminalRecord => one?.agent?.state === "waiting" && one.command?.running === true,
  );
  expect(awake.command?.line).toBe(`claude --resume ${SESSION} --model opus`);
  await expect(there.client.call("workspace.import", { text: "[]" })).rejects.toMatchObject({
    kind: "not-a-workspace",
  });
});

test("what a restore has not begun can be called off, and stays parked", async () => {
  await using padi = await startPadi();
  const ids = [];
  for (let n = 0; n < 8; n++) ids.push(await padi.create());
  await padi.killKavalHard();
  for (const id of ids) await padi.until(id, (one) => one?.life === "parked");
  const restoring = padi.client.call("terminal.restore", {});
  await padi.client.call("restore.cancel", {});
  const { restored, failed } = await restoring;
  expect(failed).toEqual([]);
  expect(restored.length).toBeLessThan(ids.length);
  for await (const { rows } of padi.client.subscribe("restore.watch", {})) {
    const left = rows.filter(({ step }) => step === "left").map(({ id }) => id);
    expect([...left, ...restored].sort()).toEqual(ids.toSorted());
    for (const id of left) expect(padi.records.get(id)?.life).toBe("parked");
    break;
  }
  await padi.client.call("terminal.restore", {});
  for (const id of ids) await padi.until(id, isActive);
});

// A kolu with a real agent in it: its own home, a stand-in model, terminals that are driven and records that are watched.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentReading } from "@kolu/contract/agent.ts";
import { applyFrame } from "@kolu/contract/live-view.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type ModelScript, type StandInModel, startStandInModel } from "../stand-in-model/server.ts";
import { type Kolu, startKolu } from "../start-kolu.ts";

/** A dialog of a full-screen program takes no answer in its first moments. */
const READABLE_MS = 800;
/** Between a text that can be read on the screen and the Enter that sends it. */
const TYPED_MS = 300;
/** How long a program may take to show what was typed; Enter is pressed then all the same. */
const SHOWN_TIMEOUT_MS = 5_000;
/** A program that has drawn nothing for so long has started, though it may be silent for a while as it does; one that draws
 * for ever is not waited for longer. */
const SETTLED_MS = 3_000;
const SETTLE_TIMEOUT_MS = 15_000;
/** So much of a typed text is looked for: it stands on one line. */
const SHOWN_CHARS = 20;

export interface Stage extends AsyncDisposable {
  kolu: Kolu;
  model: StandInModel;
  projectDir: string;
  /** The latest record of every terminal. */
  records(): ReadonlyMap<string, TerminalRecord>;
  /** Resolves with the record and the moment at which it was first seen to hold; rejects after the time-out. */
  until(
    id: string,
    holds: (record: TerminalRecord | undefined) => boolean,
    timeoutMs: number,
  ): Promise<{ record: TerminalRecord | undefined; seenAtMs: number }>;
  /** A terminal with a shell at its prompt. */
  openShell(): Promise<Terminal>;
  /** A terminal whose root process is this command. */
  openCommand(argv: string[]): Promise<Terminal>;
}

export interface Terminal {
  id: string;
  agent(): AgentReading | null;
  /** Text, then Enter. */
  enter(text: string): Promise<void>;
  /** One key, once what asks for it can be read. */
  press(key: string): Promise<void>;
  screen(): Promise<string>;
  /** Until nothing more is drawn: a program that has just started takes what is typed from then on. */
  settles(): Promise<void>;
  /** Puts it to sleep, as a person does. */
  putToSleep(): Promise<void>;
  wake(): Promise<void>;
}

/**
 * @param environment what every shell exports; the home is this kolu's own and goes with it
 * @param script what the model answers; absent: the directives in the prompt
 */
export async function openStage(
  environment: (model: StandInModel, home: string) => Record<string, string>,
  script?: ModelScript,
): Promise<Stage> {
  const model = await startStandInModel(script);
  const kolu = await startKolu();
  const projectDir = join(kolu.home, "project");
  await writeFile(join(kolu.home, ".bashrc"), exportLines(environment(model, kolu.home)));
  await mkdir(projectDir);
  const link = await kolu.padi();
  let rows: ReadonlyMap<string, TerminalRecord> = new Map();
  const waiting = new Set<() => void>();
  const watched = (async () => {
    for await (const frame of link.client.subscribe("terminals.watch", {})) {
      rows = applyFrame(rows, frame);
      for (const look of [...waiting]) look();
    }
  })();
  // The end of the link ends the subscription; that is no news here.
  watched.catch(() => {});

  const readScreen = async (id: string): Promise<string> => {
    const extent = { kind: "screen" as const };
    return (await link.client.call("screen.text", { id, extent })).text;
  };
  const untilShown = async (id: string, text: string): Promise<void> => {
    const giveUpAtMs = Date.now() + SHOWN_TIMEOUT_MS;
    const beginning = text.slice(0, SHOWN_CHARS);
    while (Date.now() < giveUpAtMs && !(await readScreen(id)).includes(beginning)) await sleep(100);
  };

  const terminal = (id: string): Terminal => ({
    id,
    agent: () => rows.get(id)?.agent ?? null,
    enter: async (text) => {
      await link.client.call("terminal.sendInput", { id, text });
      await untilShown(id, text);
      await sleep(TYPED_MS);
      await link.client.call("terminal.sendInput", { id, key: "enter" });
    },
    press: async (key) => {
      await sleep(READABLE_MS);
      await link.client.call("terminal.sendInput", { id, key });
    },
    screen: () => readScreen(id),
    settles: async () => {
      const until = { kind: "idle" as const, idleMs: SETTLED_MS };
      await link.client.call("terminal.wait", { id, until, timeoutMs: SETTLE_TIMEOUT_MS });
    },
    putToSleep: async () => {
      const { kept } = await link.client.call("terminal.sleep", { ids: [id] });
      if (kept.length > 0) throw new Error(`It was kept awake: ${JSON.stringify(kept)}`);
    },
    wake: async () => {
      await link.client.call("terminal.restore", { ids: [id] });
    },
  });

  return {
    kolu,
    model,
    projectDir,
    records: () => rows,
    until: (id, holds, timeoutMs) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const record = rows.get(id);
          if (!holds(record)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve({ record, seenAtMs: Date.now() });
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`after ${timeoutMs} ms: ${JSON.stringify(rows.get(id)?.agent ?? null)}`));
        }, timeoutMs);
        waiting.add(look);
        look();
      }),
    openShell: async () => {
      const { id } = JSON.parse(await kolu.ok(["create", "--toplevel", "--cwd", projectDir, "--json"]));
      return terminal(id);
    },
    openCommand: async (argv) => {
      const placement = { kind: "toplevel" as const };
      const created = await link.client.call("terminal.create", { placement, argv, cwd: projectDir });
      return terminal(created.id);
    },
    async [Symbol.asyncDispose]() {
      for (const id of rows.keys())
        await link.client.call("terminal.kill", { id: id as TerminalRecord["id"] });
      await link[Symbol.asyncDispose]();
      await kolu[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

function exportLines(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join("");
}

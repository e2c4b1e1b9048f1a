// The workspace of the pictures: which terminals there are, where they lie, what runs in them.
import { join } from "node:path";
import type { TerminalId } from "@kolu/contract/ids.ts";
import { applyFrame } from "@kolu/contract/live-view.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";
import type { RpcLink } from "@kolu/wire/dial.ts";
import type { Kolu } from "../start-kolu.ts";
import { CONVERSATIONS } from "./agents.ts";

type Records = ReadonlyMap<string, TerminalRecord>;
type Holds = (record: TerminalRecord) => boolean;

interface Wish {
  /** Below the home directory. */
  directory: string;
  /** Cuts this worktree of the directory and opens there. */
  worktree?: string;
  intent?: string;
  /** Columns and rows of the 3 by 3 board that the tile covers. Absent: a split of the terminal before. */
  board?: { x: number; y: number; w?: number; h?: number };
  /** Typed at the prompt. */
  run?: string;
  /** Claude Code is started and asked. */
  ask?: keyof typeof CONVERSATIONS;
  /** True once the terminal looks as the picture needs it. */
  until: Holds;
}

const agentIs =
  (state: string): Holds =>
  ({ agent }) =>
    agent?.state === state && agent.prompted;
const runs =
  (name: string): Holds =>
  ({ command }) =>
    command?.running === true && command.line.includes(name);
const stands: Holds = () => true;

const WISHES: Wish[] = [
  {
    directory: "shop",
    intent: "cart total",
    board: { x: 0, y: 0, h: 2 },
    ask: "thinking",
    until: agentIs("thinking"),
  },
  { directory: "shop", run: "./scripts/dev", until: runs("dev") },
  { directory: "shop", run: "git status --short", until: stands },
  {
    directory: "shop",
    worktree: "checkout-steps",
    board: { x: 1, y: 0 },
    ask: "question",
    until: agentIs("awaiting"),
  },
  {
    directory: "ledger",
    intent: "currency",
    board: { x: 2, y: 0 },
    ask: "permission",
    until: agentIs("awaiting"),
  },
  {
    directory: "shop",
    intent: "tests",
    board: { x: 1, y: 1 },
    ask: "tools",
    until: agentIs("tool_use"),
  },
  {
    directory: "atlas",
    intent: "on-call page",
    board: { x: 2, y: 1 },
    ask: "finished",
    until: agentIs("waiting"),
  },
  {
    directory: "ledger",
    intent: "empty months",
    board: { x: 0, y: 2 },
    ask: "background",
    until: agentIs("background"),
  },
  { directory: "ledger", run: "./scripts/build", until: runs("build") },
  {
    directory: "ledger",
    intent: "deploy",
    board: { x: 1, y: 2 },
    run: "./scripts/deploy",
    until: ({ program }) => program?.progress === 62,
  },
  {
    directory: "atlas",
    intent: "access page",
    board: { x: 2, y: 2 },
    run: "vim guide/access.md",
    until: runs("vim"),
  },
  { directory: "atlas", run: "git log --graph --oneline --decorate --stat", until: runs("git log") },
];

const TILE = { w: 624, h: 432, gap: 24 };

export interface Workspace extends AsyncDisposable {
  records(): Records;
  /** The terminal that is worked in. */
  firstId: TerminalId;
  /** The one that shows off a whole agent session on a phone. */
  questionId: TerminalId;
  until(holds: (records: Records) => boolean, timeoutMs?: number): Promise<void>;
}

/** How long one step may take on a busy machine. */
const STEP_TIMEOUT_MS = 120_000;
/** A screen that is still for this long has taken what was typed. */
const SETTLED_MS = 800;
const SETTLE_TIMEOUT_MS = 15_000;
/** A prompt that nothing has come of by then sits in the composer. */
const ACCEPTED_MS = 8_000;

/** @param settled called between laying out and starting anything: the moment for a page to size the terminals */
export async function buildWorkspace(
  kolu: Kolu,
  settled: (ids: TerminalId[]) => Promise<void>,
): Promise<Workspace> {
  const link = await kolu.padi();
  const { records, until } = follow(link);
  const ids: TerminalId[] = [];
  for (const wish of WISHES) ids.push(await create(kolu, link, wish, ids));
  await settled(ids);
  // One after the other: a dozen programs that start at once make each other slow.
  for (const [index, wish] of WISHES.entries()) await begin(link, ids[index]!, wish, until);
  // Somebody has looked at those that work: only what has just ended or asks is news.
  for (const { id, agent } of records().values())
    if (agent?.bucket === "working") await link.client.call("terminal.markSeen", { id });
  return {
    records,
    firstId: ids[0]!,
    questionId: ids[3]!,
    until,
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  };
}

async function create(
  kolu: Kolu,
  link: RpcLink<PadiContract>,
  wish: Wish,
  before: TerminalId[],
): Promise<TerminalId> {
  const { directory, worktree, intent, board } = wish;
  const at = join(kolu.home, directory);
  const { id } = await link.client.call("terminal.create", {
    placement: board ? { kind: "toplevel" } : { kind: "child-of", parentId: parentOf(before) },
    ...(worktree === undefined ? { cwd: at } : { repo: at, worktree }),
    ...(intent === undefined ? {} : { intent }),
    ...(board ? { layout: boxOf(board) } : {}),
  });
  return id;
}

/** The latest terminal that is a tile. */
function parentOf(before: TerminalId[]): TerminalId {
  const index = WISHES.slice(0, before.length).findLastIndex(({ board }) => board !== undefined);
  return before[index]!;
}

function boxOf({ x, y, w = 1, h = 1 }: NonNullable<Wish["board"]>): Layout {
  const { gap } = TILE;
  return {
    x: x * (TILE.w + gap),
    y: y * (TILE.h + gap),
    w: w * TILE.w + (w - 1) * gap,
    h: h * TILE.h + (h - 1) * gap,
  };
}

/** Starts what the wish names and waits until it looks as wished. Rejects with the screen when it does not. */
async function begin(
  link: RpcLink<PadiContract>,
  id: TerminalId,
  { run, ask, until: holds }: Wish,
  until: Workspace["until"],
): Promise<void> {
  const { client } = link;
  const when = (condition: Holds, timeoutMs = STEP_TIMEOUT_MS) =>
    until((records) => records.has(id) && condition(records.get(id)!), timeoutMs);
  const settle = () =>
    client.call("terminal.wait", {
      id,
      until: { kind: "idle", idleMs: SETTLED_MS },
      timeoutMs: SETTLE_TIMEOUT_MS,
    });
  const enter = async (text: string): Promise<void> => {
    await settle();
    await client.call("terminal.sendInput", { id, text });
    await settle();
    await client.call("terminal.sendInput", { id, key: "Enter" });
  };
  try {
    if (run !== undefined) await enter(run);
    if (ask !== undefined) {
      await enter(`claude --name ${JSON.stringify(CONVERSATIONS[ask].title)}`);
      await when(({ agent }) => agent?.state === "waiting");
      await enter(CONVERSATIONS[ask].prompt);
      // An agent that is slow to start takes no Enter in its first moments.
      const accepted: Holds = ({ agent }) => agent?.prompted === true || agent?.bucket === "working";
      await when(accepted, ACCEPTED_MS).catch(() => client.call("terminal.sendInput", { id, key: "Enter" }));
    }
    await when(holds);
  } catch (cause) {
    const { text } = await client.call("screen.text", { id, extent: { kind: "screen" } });
    throw new Error(`${ask ?? run ?? "A shell"} is not as wished. Its screen:\n${text}`, { cause });
  }
}

/** The records as they change. */
function follow(link: RpcLink<PadiContract>): Pick<Workspace, "records" | "until"> {
  let rows: Records = new Map();
  const waiting = new Set<() => void>();
  const watched = (async () => {
    for await (const frame of link.client.subscribe("terminals.watch", {})) {
      rows = applyFrame(rows, frame);
      for (const look of [...waiting]) look();
    }
  })();
  // The end of the link ends the subscription; that is no news here.
  watched.catch(() => {});
  return {
    records: () => rows,
    until: (holds, timeoutMs = STEP_TIMEOUT_MS) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`Not within ${timeoutMs} ms.`));
        }, timeoutMs);
        const look = (): void => {
          if (!holds(rows)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

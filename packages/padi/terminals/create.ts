// Making a terminal: the worktree is cut, then the terminal spawned in it, then the first line typed. What stopped
// half-way names what exists by then; nothing is rolled back behind the caller's back, unless the caller itself gave up.

import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { LaunchStep } from "@kolu/contract/launch.ts";
import type { CreateParams, CreateResult, Worktree } from "@kolu/contract/padi.ts";
import { isRefusal, Refusal, refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import type { Log } from "@kolu/daemon/log.ts";
import type { Places } from "@kolu/daemon/places.ts";
import type { z } from "zod";
import type { WorktreeWish } from "../git/worktree.ts";
import type { KavalLink } from "../kaval-link.ts";
import { refuseCreate } from "./create-gates.ts";
import { whenFirstPrompt } from "./first-prompt.ts";
import type { Follow } from "./follow.ts";
import { typedLine } from "./input.ts";
import { newRecord } from "./record.ts";
import { given, terminalEnvironment } from "./spawn.ts";
import type { TerminalStore } from "./store.ts";
import type { Themes } from "./themes.ts";

export interface CreateWorld {
  store: TerminalStore;
  follow: Follow;
  kaval: KavalLink;
  places: Places;
  themes: Themes;
  /** Cuts `<repo>/.worktrees/<name>` on a new branch of that name. Rejects with the git refusals. */
  createWorktree(wish: WorktreeWish): Promise<Worktree>;
  removeWorktree(options: { path: string; force: boolean }): Promise<void>;
  log: Log;
  now(): number;
}

export interface CreateOptions {
  /** Aborted before the first line is typed: everything is taken back, and its reason is thrown. */
  signal?: AbortSignal;
  onStep?(step: LaunchStep): void;
}

type Created = z.infer<typeof CreateResult>;
type Landed = { id?: TerminalId; worktree?: Worktree };

/**
 * Resolves when the terminal stands and its first line, if any, is typed. Rejects with the refusals of create-gates.ts,
 * `terminal-not-found` for an unknown parent, git's and kaval's, or `stopped-partway` once something had landed.
 */
export async function createTerminal(
  params: CreateParams,
  world: CreateWorld,
  { signal, onStep }: CreateOptions = {},
): Promise<Created> {
  const refusal = refuseCreate(params);
  if (refusal) throw refusal;
  const { placement, run } = params;
  const parentId = placement.kind === "child-of" ? placement.parentId : null;
  if (parentId !== null && !world.store.get(parentId)) throw terminalNotFound(parentId);

  const landed: Landed = {};
  try {
    const { repo, worktree: name, base } = params;
    if (name !== undefined && repo !== undefined)
      landed.worktree = await world.createWorktree({ repo, name, base, signal, onStep });
    signal?.throwIfAborted();
    const cwd = landed.worktree?.path ?? params.cwd ?? homedir();
    onStep?.("shell");
    const { id, pid } = await spawn({ params, cwd, parentId }, world);
    landed.id = id;
    signal?.throwIfAborted();
    if (run !== undefined) {
      onStep?.("prompt");
      await typeFirstLine(id, run, world, signal);
    }
    const { worktree } = landed;
    return { id, pid, ...given({ worktree, ran: run }) };
  } catch (error) {
    if (signal?.aborted) {
      await takeBack(landed, world);
      throw signal.reason;
    }
    if (landed.id === undefined && landed.worktree === undefined) throw withNotTyped(error, run);
    // A shell that ended well took its terminal with it: that is no survivor.
    const stands = landed.id !== undefined && world.store.get(landed.id) !== undefined;
    throw partway({ ...landed, id: stands ? landed.id : undefined }, run, error);
  }
}

async function spawn(
  { params, cwd, parentId }: { params: CreateParams; cwd: string; parentId: TerminalId | null },
  { store, follow, kaval, places, themes, now }: CreateWorld,
): Promise<{ id: TerminalId; pid: number }> {
  const id = randomUUID() as TerminalId;
  const themeName = await themes.choose(id, parentId ?? params.from ?? null);
  const { intent = null, place, argv, cols, rows } = params;
  const birth = { id, parentId, intent, themeName, cwd, ...given({ place }) };
  // kaval may tell of the terminal before it answers us: it must not be taken for somebody else's.
  follow.expect(birth);
  try {
    const spawned = await kaval.call("terminal.spawn", {
      id,
      cwd,
      // Said with the first byte: a program may ask for its colours at once.
      colors: await themes.colorsOf(themeName),
      ...terminalEnvironment(places),
      ...given({ argv, cols, rows }),
    });
    // A program that ended well within these milliseconds is gone again, and so is its record.
    if (store.standing(id).kind === "unknown")
      store.insert({ ...newRecord({ ...birth, cwd: spawned.cwd }, now()), pid: spawned.pid }, place);
    store.commit();
    return { id, pid: spawned.pid };
  } finally {
    follow.forgetExpected(id);
    themes.settle(id);
  }
}

async function typeFirstLine(
  id: TerminalId,
  run: string,
  { follow, kaval }: CreateWorld,
  signal: AbortSignal | undefined,
): Promise<void> {
  const prompt = await whenFirstPrompt(follow, id, signal);
  signal?.throwIfAborted();
  if (prompt === "gone") throw new Error("The shell ended before it showed a prompt.");
  await kaval.call("terminal.input", { id, text: typedLine(run) });
}

/** The caller gave up: what was made for it goes again. A worktree that holds anything by now stays. */
async function takeBack(
  { id, worktree }: Landed,
  { follow, removeWorktree, log }: CreateWorld,
): Promise<void> {
  try {
    if (id !== undefined) await follow.remove(id);
    if (worktree) await removeWorktree({ path: worktree.path, force: false });
  } catch (error) {
    log.error("what was made for a caller that gave up could not be taken back", error);
  }
}

/** git may have stopped half-way by itself; the line that the caller wanted typed is part of what did not happen. */
function withNotTyped(error: unknown, run: string | undefined): unknown {
  if (run === undefined || !isRefusal(error, "stopped-partway")) return error;
  return refuse("stopped-partway", { ...error.data, notTyped: run }, error.message);
}

function partway(
  { id, worktree }: { id: TerminalId | undefined; worktree?: Worktree },
  notTyped: string | undefined,
  cause: unknown,
): Error {
  const survivors = [
    ...(worktree
      ? [
          `the worktree ${worktree.path} on the branch ${worktree.branch} (remove it with: git worktree remove ${worktree.path})`,
        ]
      : []),
    ...(id ? [`the terminal ${id} (close it with: kolu kill ${id})`] : []),
  ];
  const rest =
    survivors.length === 0 ? "Nothing is left of it." : `What exists now: ${survivors.join(", and ")}.`;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const refusal = refuse(
    "stopped-partway",
    { landed: given({ id, worktree }), ...given({ notTyped }) },
    `Stopped half-way: ${reason} ${rest}`,
  );
  refusal.cause = cause instanceof Refusal ? undefined : cause;
  return refusal;
}

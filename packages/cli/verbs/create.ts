import { isAbsolute, resolve } from "node:path";
import { shortId } from "@kolu/contract/ids.ts";
import type { CreateParams, CreateResult } from "@kolu/contract/padi.ts";
import { isRefusal, type RefusalData, refuse } from "@kolu/contract/refusals.ts";
import type { Placement } from "@kolu/contract/terminal.ts";
import type { z } from "zod";
import type { Invocation } from "../arguments.ts";
import { callerOf } from "../caller.ts";
import { Exit, type ExitCode, UsageError } from "../exit.ts";
import { openPadi, type PadiLink, resolveId } from "../padi-link.ts";
import { joinShellWords } from "../shell-words.ts";
import type { Context, createFlags } from "../verb-table.ts";

type CreateCall = Invocation<typeof createFlags>;
type Created = z.output<typeof CreateResult>;

export async function run(invocation: CreateCall, context: Context): Promise<ExitCode> {
  const params = decideParams(invocation, context.cwd);
  await using link = await openPadi(invocation, context, { start: true });
  const placement = await place(link, invocation.flags.parent, context.signal);
  const { terminalId } = callerOf(invocation.endpoint, context.env);
  const from = terminalId === null ? {} : { from: terminalId };
  try {
    const created = await link.client.call(
      "terminal.create",
      { ...params, ...from, placement },
      { signal: context.signal },
    );
    tell(created, placement, invocation.flags.json, context);
    return Exit.done;
  } catch (error) {
    if (isRefusal(error, "stopped-partway")) tellSurvivors(error.data, invocation.flags.json, context);
    throw error;
  }
}

/** Everything but the placement. Pure; throws what can be known to be wrong before any daemon is asked. */
export function decideParams(invocation: CreateCall, cwd: string): Omit<CreateParams, "placement"> {
  const { toplevel, parent, cwd: wantedCwd, intent, repo, worktree } = invocation.flags;
  if (toplevel === (parent !== undefined))
    throw new UsageError(
      "create needs exactly one of --toplevel (a tile of its own) and --parent <id> (a split inside that terminal).",
    );
  if (repo !== undefined && worktree === undefined)
    throw refuse(
      "repo-without-worktree",
      {},
      "--repo names where a worktree is cut: give --worktree <name> too.",
    );
  if (wantedCwd !== undefined && worktree !== undefined)
    throw refuse(
      "cwd-and-worktree",
      {},
      "--cwd and --worktree exclude each other: the terminal opens in the worktree.",
    );
  if (invocation.command?.length === 0)
    throw new UsageError("Nothing follows --. Give the command to type, or leave -- out.");
  const { host } = invocation.endpoint;
  return {
    ...(host === undefined
      ? placeHere({ cwd: wantedCwd, repo, worktree }, cwd)
      : placeThere({ cwd: wantedCwd, repo, worktree }, host)),
    ...(intent === undefined ? {} : { intent }),
    ...(invocation.command === null ? {} : { run: joinShellWords(invocation.command) }),
  };
}

interface WantedPlace {
  cwd: string | undefined;
  repo: string | undefined;
  worktree: string | undefined;
}
type Place = Pick<CreateParams, "cwd" | "repo" | "worktree">;

function placeHere({ cwd, repo, worktree }: WantedPlace, callersCwd: string): Place {
  if (worktree === undefined) return { cwd: resolve(callersCwd, cwd ?? ".") };
  return { worktree, repo: resolve(callersCwd, repo ?? ".") };
}

/** Our working directory means nothing on another machine: without a word, it is the home there. */
function placeThere({ cwd, repo, worktree }: WantedPlace, host: string): Place {
  if (worktree !== undefined && repo === undefined)
    throw refuse(
      "worktree-needs-repo",
      {},
      `--worktree over --host needs --repo too: the path of the repository on ${host}.`,
    );
  for (const [flag, path] of Object.entries({ cwd, repo }))
    if (path !== undefined && !isAbsolute(path))
      throw new UsageError(
        `--${flag} ${path} is a path on ${host}, where nobody stands in a directory: give the whole of it, from / on.`,
      );
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(repo === undefined ? {} : { repo }),
    ...(worktree === undefined ? {} : { worktree }),
  };
}

async function place(link: PadiLink, parent: string | undefined, signal: AbortSignal): Promise<Placement> {
  if (parent === undefined) return { kind: "toplevel" };
  return { kind: "child-of", parentId: await resolveId(link, parent, signal) };
}

function tell(created: Created, placement: Placement, json: boolean, { out }: Context): void {
  const { id, worktree, ran } = created;
  if (json)
    out.json({ id, ...(worktree === undefined ? {} : { worktree }), ...(ran === undefined ? {} : { ran }) });
  else out.line(id);
  const where = placement.kind === "toplevel" ? "top-level" : `split of ${shortId(placement.parentId)}`;
  const cut = worktree === undefined ? "" : ` · worktree ${worktree.path} on ${worktree.branch}`;
  const running = ran === undefined ? "" : ` · running ${ran}`;
  if (worktree?.note !== undefined) out.say(worktree.note);
  out.say(`created ${shortId(id)} · ${where}${cut}${running}`);
}

/** What exists although the create failed is data too: a script can clean it up. */
function tellSurvivors({ landed }: RefusalData["stopped-partway"], json: boolean, { out }: Context): void {
  if (json) out.json(landed);
  else if (landed.id !== undefined) out.line(landed.id);
  if (landed.worktree !== undefined)
    out.say(`the worktree ${landed.worktree.path} is there: git worktree remove ${landed.worktree.path}`);
  if (landed.id !== undefined)
    out.say(`the terminal ${shortId(landed.id)} is there: kolu kill ${shortId(landed.id)}`);
}

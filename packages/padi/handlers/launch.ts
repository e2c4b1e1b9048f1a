// Making terminals by hand: what there is to choose from, and the making itself, told step by step.
import { homedir, hostname } from "node:os";
import type { LaunchStep } from "@kolu/contract/launch.ts";
import type { LaunchFrame, LaunchParams, PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import { nextWake } from "../cell.ts";
import { lookAtDirectory, lookAtWorktree } from "../git/look.ts";
import { checkWorktreeName } from "../git/worktree.ts";
import { completeDirectory, reposNear, typedPath } from "../launch/directories.ts";
import { findInstalled } from "../launch/installed.ts";
import type { RecentsBook } from "../launch/recents.ts";
import type { Prompts } from "../prompt/prompts.ts";
import { type CreateWorld, createTerminal } from "../terminals/create.ts";

export interface LaunchWorld extends CreateWorld {
  recents: RecentsBook;
  prompts: Prompts;
  /** Every agent that there is, and the program that starts it. */
  agentPrograms: readonly { kind: string; program: string }[];
  /** The command that installs an agent; null where none is known. */
  installLine(agentKind: string): string | null;
}

type LaunchHandlers = Pick<
  Handlers<PadiContract>,
  | "recents.watch"
  | "launch.choices"
  | "directory.complete"
  | "directory.look"
  | "worktree.checkName"
  | "worktree.look"
  | "worktree.remove"
  | "terminal.launch"
>;

export function launchHandlers(world: LaunchWorld): LaunchHandlers {
  const home = homedir();
  return {
    "recents.watch": (_params, { signal }) => world.recents.view.watch(signal),
    async "launch.choices"() {
      const programs = world.agentPrograms.map(({ program }) => program);
      const [installed, repos] = await Promise.all([findInstalled(programs, process.env), reposNear(home)]);
      const agents = world.agentPrograms.map((agent) => ({
        ...agent,
        installed: installed.has(agent.program),
        install: world.installLine(agent.kind),
      }));
      return { home, host: hostname(), agents, repos };
    },
    "directory.complete": ({ typed }) => completeDirectory(typed, home),
    "directory.look": ({ path }, { signal }) => lookAtDirectory(typedPath(path, home), signal),
    "worktree.checkName": (params) => checkWorktreeName(params),
    "worktree.look": ({ path }, { signal }) => lookAtWorktree(path, signal),
    async "worktree.remove"(params) {
      await world.removeWorktree(params);
      return {};
    },
    "terminal.launch": (params, { signal }) => launch(params, world, signal),
  };
}

/** Whoever leaves before the terminal is made has it taken back; its first prompt is given whether they stay or not. */
async function* launch(
  { firstPrompt, ...params }: LaunchParams,
  world: LaunchWorld,
  signal: AbortSignal,
): AsyncGenerator<LaunchFrame> {
  const steps: LaunchStep[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const done of [...waiting]) done();
  };
  let ended = false;
  const making = createTerminal(params, world, {
    signal,
    onStep(step) {
      steps.push(step);
      wake();
    },
  });
  const end = (): void => {
    ended = true;
    wake();
  };
  making.then(end, end);
  while (!ended || steps.length > 0) {
    const step = steps.shift();
    if (step) yield { kind: "step", step };
    // Not ended by the signal: what was made has to be taken back first.
    else await nextWake(waiting, NEVER);
  }
  const made = await making;
  const prompting = firstPrompt?.trim() ? promptFirst({ id: made.id, text: firstPrompt }, world) : null;
  yield { kind: "made", made };
  if (prompting) yield { kind: "prompted", outcome: await prompting };
}

const NEVER = new AbortController().signal;

type Outcome = Extract<LaunchFrame, { kind: "prompted" }>["outcome"];

/** Never rejects. */
async function promptFirst(
  prompt: Parameters<Prompts["promptWhenReady"]>[0],
  { prompts, log }: LaunchWorld,
): Promise<Outcome> {
  try {
    return { kind: "receipt", receipt: await prompts.promptWhenReady(prompt, NEVER) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.info(`the first prompt of terminal ${prompt.id} was not given: ${reason}`);
    return { kind: "failed", reason };
  }
}

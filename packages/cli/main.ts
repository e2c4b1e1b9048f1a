// The command `kolu`: routes words to a verb, turns its end into an exit code. The composition root: this package alone
// knows every process of the system.
import { koluVersion } from "@kolu/daemon/build-id.ts";
import { type FlagSpecs, type Invocation, nearest, parseInvocation, parseRoute } from "./arguments.ts";
import { daemonVerbs } from "./daemon-verbs.ts";
import { Exit, type ExitCode, Interrupted, judgeError, UsageError } from "./exit.ts";
import { mainHelp, verbHelp } from "./help.ts";
import { endQuietlyWhenReaderLeaves, flushed, processOutput } from "./output.ts";
import { QUESTION_VERB } from "./remote/question-verb.ts";
import { type Context, type VerbSpec, verbs } from "./verb-table.ts";

/** How long a verb may take to let go after SIGINT or SIGTERM before the process ends anyway. */
const INTERRUPT_GRACE_MS = 2_000;

/** Runs one command line and ends the process. `entry` is the absolute path of the script that was started. */
export async function main(argv: readonly string[], entry: string): Promise<never> {
  if (Object.hasOwn(daemonVerbs, argv[0] ?? "")) {
    const { becomeDaemon } = await import("./become-daemon.ts");
    return becomeDaemon(daemonVerbs[argv[0] as keyof typeof daemonVerbs], argv.slice(1), entry);
  }
  endQuietlyWhenReaderLeaves();
  const out = processOutput(process.env);
  const context: Context = { out, env: process.env, cwd: process.cwd(), signal: interruptSignal(), entry };
  const code = await runToCode(argv, context);
  await flushed();
  process.exit(code);
}

async function runToCode(argv: readonly string[], context: Context): Promise<ExitCode> {
  try {
    return await Promise.race([kolu(argv, context), graceAfter(context.signal)]);
  } catch (error) {
    return report(error, context);
  }
}

function report(error: unknown, context: Context): ExitCode {
  // Whatever a verb was doing when the signal came, the signal is why it ended.
  const { code, sentence } = judgeError(context.signal.aborted ? context.signal.reason : error);
  if (sentence !== null) context.out.say(sentence);
  return code;
}

function interruptSignal(): AbortSignal {
  const abort = new AbortController();
  const onSignal = (): void => abort.abort(new Interrupted());
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return abort.signal;
}

function graceAfter(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      setTimeout(reject, INTERRUPT_GRACE_MS, signal.reason).unref();
    });
  });
}

/** Runs one command line to its exit code. Rejects with what `judgeError` understands. */
export async function kolu(argv: readonly string[], context: Context): Promise<ExitCode> {
  if (argv[0] === QUESTION_VERB) {
    const { answerHost } = await import("./remote/answer.ts");
    return answerHost(argv.slice(1), context);
  }
  const route = parseRoute(argv);
  switch (route.kind) {
    case "version":
      context.out.line(koluVersion());
      return Exit.done;
    case "help":
      context.out.data(route.verb === null ? mainHelp(verbs) : verbHelp(route.verb, verbNamed(route.verb)));
      return Exit.done;
    case "bare":
      context.out.sayPlain(mainHelp(verbs));
      return Exit.failed;
    case "verb": {
      const spec = verbNamed(route.verb);
      // Words are judged before the verb's code is loaded, except where that code knows its words.
      const early = spec.hasOwnShapes ? null : parseInvocation(spec, route.words);
      const { run, shapeFor } = await spec.load();
      const shape = shapeFor?.(route.words, spec) ?? spec;
      return run(early ?? (parseInvocation(shape, route.words) as Invocation), context, verbs);
    }
    default:
      return route satisfies never;
  }
}

function verbNamed(name: string): VerbSpec<FlagSpecs> {
  if (Object.hasOwn(verbs, name)) return verbs[name as keyof typeof verbs] as unknown as VerbSpec<FlagSpecs>;
  const near = nearest(name, Object.keys(verbs));
  const hint = near === null ? "`kolu --help` lists the verbs." : `Did you mean: kolu ${near}`;
  throw new UsageError(`Unknown verb ${JSON.stringify(name)}. ${hint}`);
}

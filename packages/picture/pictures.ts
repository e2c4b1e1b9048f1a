// Pictures of screens, drawn by a process that comes with the first and leaves some time after the last. A process and no
// thread: what the canvas holds of fonts, 160 MB once an emoji was drawn, is never given back, and its code is native.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Picture, PictureAnswer, PictureRequest } from "./picture-messages.ts";

/** Kept warm so long after the last picture: an agent that looks once looks again. */
const IDLE_MS = 60_000;
/** A picture that takes longer has met something that the painter cannot end; it is given up. */
const PICTURE_TIMEOUT_MS = 20_000;

export interface Pictures extends AsyncDisposable {
  /** Rejects when it cannot be drawn, or when it takes too long. */
  draw(request: Omit<PictureRequest, "ticket">): Promise<Picture>;
}

interface Waiting {
  resolve(picture: Picture): void;
  reject(error: Error): void;
}

export function createPictures(idleMs = IDLE_MS): Pictures {
  // Beside this file, in the checkout as in the bundle, under the same extension.
  const workerPath = fileURLToPath(
    new URL(
      import.meta.url.endsWith(".ts") ? "./picture-worker.ts" : "./picture-worker.mjs",
      import.meta.url,
    ),
  );
  let painter: ChildProcess | null = null;
  let idle: NodeJS.Timeout | null = null;
  let nextTicket = 1;
  const waiting = new Map<number, Waiting>();

  function start(): ChildProcess {
    const started = fork(workerPath, [], {
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("message", (answer: PictureAnswer) => {
      const asked = waiting.get(answer.ticket);
      waiting.delete(answer.ticket);
      if (answer.kind === "picture") asked?.resolve(answer.picture);
      else asked?.reject(answer.error);
      retireLater();
    });
    const lost = (cause: Error): void => {
      if (painter !== started) return;
      painter = null;
      giveUp(cause);
    };
    started.on("error", lost);
    started.on("exit", (code, signal) => lost(new Error(`The painter ended with ${signal ?? code}.`)));
    // A daemon that has nothing else to do may end.
    started.unref();
    started.channel?.unref();
    return started;
  }

  function giveUp(cause: Error): void {
    const asked = [...waiting.values()];
    waiting.clear();
    for (const { reject } of asked) reject(new Error("The picture could not be drawn.", { cause }));
  }

  function retireLater(): void {
    if (idle) clearTimeout(idle);
    idle = waiting.size > 0 ? null : setTimeout(end, idleMs).unref();
  }

  async function end(): Promise<void> {
    const ending = painter;
    painter = null;
    if (idle) clearTimeout(idle);
    giveUp(new Error("The painter was ended."));
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => ending.once("exit", () => resolve()));
    // It holds nothing that could be lost.
    ending.ref();
    ending.kill("SIGKILL");
    await gone;
  }

  return {
    draw(request) {
      painter ??= start();
      if (idle) clearTimeout(idle);
      const ticket = nextTicket++;
      const message: PictureRequest = { ...request, ticket };
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => void end(), PICTURE_TIMEOUT_MS);
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T): void => {
            clearTimeout(late);
            then(value);
          };
        waiting.set(ticket, { resolve: settle(resolve), reject: settle(reject) });
        painter?.send(message);
      });
    },
    [Symbol.asyncDispose]: end,
  };
}

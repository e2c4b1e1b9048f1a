// Pictures of screens, drawn in a thread that comes with the first and leaves some time after the last: it holds fonts and
// the canvas's code, about 60 MB. Nothing of the drawing runs on the caller's thread.
import { Worker } from "node:worker_threads";
import type { Picture, PictureAnswer, PictureRequest } from "./picture-messages.ts";

/** Kept warm so long after the last picture: an agent that looks once looks again. */
const IDLE_MS = 60_000;
/** A picture that takes longer has met something that the painter cannot end; the thread is given up. */
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
  const workerUrl = new URL(
    import.meta.url.endsWith(".ts") ? "./picture-worker.ts" : "./picture-worker.mjs",
    import.meta.url,
  );
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | null = null;
  let nextTicket = 1;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(workerUrl, { name: "pictures", execArgv: [] });
    started.on("message", (answer: PictureAnswer) => {
      const asked = waiting.get(answer.ticket);
      waiting.delete(answer.ticket);
      if (answer.kind === "picture") asked?.resolve(answer.picture);
      else asked?.reject(answer.error);
      retireLater();
    });
    let fault: Error | null = null;
    started.on("error", (error) => {
      fault = error;
    });
    started.on("exit", (code) => {
      if (worker !== started) return;
      worker = null;
      giveUp(fault ?? new Error(`The painter ended with code ${code}.`));
    });
    // A padi that has nothing else to do may end.
    started.unref();
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
    const ending = worker;
    worker = null;
    if (idle) clearTimeout(idle);
    giveUp(new Error("The painter was ended."));
    await ending?.terminate();
  }

  return {
    draw(request) {
      worker ??= start();
      if (idle) clearTimeout(idle);
      const ticket = nextTicket++;
      const message: PictureRequest = { ...request, ticket };
      worker.postMessage(message);
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => void end(), PICTURE_TIMEOUT_MS);
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T): void => {
            clearTimeout(late);
            then(value);
          };
        waiting.set(ticket, { resolve: settle(resolve), reject: settle(reject) });
      });
    },
    [Symbol.asyncDispose]: end,
  };
}

// The painter's thread. Everything it does is in draw.ts; here is only the thread.
import { parentPort } from "node:worker_threads";
import { createDraw } from "./draw.ts";
import type { PictureAnswer, PictureRequest } from "./picture-messages.ts";

const port = parentPort;
if (port === null) throw new Error("picture-worker.ts is started by createPictures, as a worker thread.");

const ready = createDraw();
ready.catch(() => {}); // Told to whoever asks, below.

port.on("message", async ({ ticket, ...request }: PictureRequest) => {
  const tell = (answer: PictureAnswer): void => port.postMessage(answer);
  try {
    const draw = await ready;
    tell({ kind: "picture", ticket, picture: draw(request) });
  } catch (cause) {
    tell({ kind: "failed", ticket, error: cause instanceof Error ? cause : new Error(String(cause)) });
  }
});

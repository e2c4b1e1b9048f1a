// The painter's process. Everything it does is in draw.ts; here is only the process. It ends when its parent lets go of it,
// or dies: the channel between them closes either way.
import { createDraw } from "./draw.ts";
import type { PictureAnswer, PictureRequest } from "./picture-messages.ts";

if (process.send === undefined)
  throw new Error("picture-worker.ts is started by createPictures, with a channel.");

process.title = "kolu-picture";
const ready = createDraw();
ready.catch(() => {}); // Told to whoever asks, below.

process.on("message", async ({ ticket, ...request }: PictureRequest) => {
  const tell = (answer: PictureAnswer): void => void process.send!(answer);
  try {
    const draw = await ready;
    tell({ kind: "picture", ticket, picture: draw(request) });
  } catch (cause) {
    tell({ kind: "failed", ticket, error: cause instanceof Error ? cause : new Error(String(cause)) });
  }
});
process.on("disconnect", () => process.exit(0));

// Passes one WebSocket's frames to another, unread, with back-pressure both ways.
import { WebCloseCode } from "@kolu/contract/web.ts";
import { WebSocket } from "ws";
import { openSocket, type Target } from "./dial.ts";

/** Unsent bytes towards one side above which the other side is paused, and below which it goes on. */
const PAUSE_ABOVE_BYTES = 1024 * 1024;
const RESUME_BELOW_BYTES = 256 * 1024;

/**
 * Joins `near` (an accepted socket) to `path` at the target. When either ends, so does the other; `near` is closed with
 * WebCloseCode.padiLost when it was the far side that failed.
 */
export function relaySocket(near: WebSocket, target: Target, path: string): void {
  near.pause();
  const far = openSocket(target, path, { skipUTF8Validation: true });
  pipe(near, far);
  pipe(far, near);
  far.once("open", () => near.resume());
  far.once("close", (code) =>
    closeWith(near, isSendable(code) && code !== 1001 ? code : WebCloseCode.padiLost),
  );
  far.on("error", () => far.terminate());
  near.once("close", () => far.terminate());
  near.on("error", () => near.terminate());
}

function pipe(from: WebSocket, to: WebSocket): void {
  const onSent = (): void => {
    if (from.isPaused && to.bufferedAmount < RESUME_BELOW_BYTES) from.resume();
  };
  from.on("message", (data, isBinary) => {
    if (to.readyState !== WebSocket.OPEN) return;
    to.send(data, { binary: isBinary }, onSent);
    if (to.bufferedAmount > PAUSE_ABOVE_BYTES) from.pause();
  });
}

/** Codes that an endpoint may put into a close frame. */
function isSendable(code: number): boolean {
  return (
    (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)
  );
}

function closeWith(socket: WebSocket, code: number): void {
  // A paused socket would never see the peer's answer to the close frame.
  socket.resume();
  socket.close(code);
}

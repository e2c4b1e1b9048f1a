// A WebSocket as the channel under an RPC peer, with back-pressure that streams can wait on.
import type { Channel } from "@kolu/contract/rpc.ts";
import type { WebSocket } from "ws";

/** Unsent text above this makes streams wait; a reader that stops costs one such buffer, not more. */
const HIGH_WATER_BYTES = 1024 * 1024;

export function webSocketChannel(socket: WebSocket): Channel {
  let waiters: (() => void)[] = [];
  const release = (): void => {
    if (
      waiters.length === 0 ||
      (socket.readyState === socket.OPEN && socket.bufferedAmount > HIGH_WATER_BYTES)
    )
      return;
    const ready = waiters;
    waiters = [];
    for (const wake of ready) wake();
  };
  socket.on("close", release);
  return {
    send(text) {
      if (socket.readyState === socket.OPEN) socket.send(text, release);
    },
    drained() {
      if (socket.readyState !== socket.OPEN || socket.bufferedAmount <= HIGH_WATER_BYTES) return undefined;
      return new Promise((resolve) => waiters.push(resolve));
    },
  };
}

/** The text of one message, whatever shape ws hands it over in. */
export function messageText(data: Buffer | ArrayBuffer | Buffer[]): string {
  return messageBytes(data).toString("utf8");
}

export function messageBytes(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

// The page's sockets, passed on to padi unread.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { parseAttachPath } from "@kolu/contract/attach.ts";
import { RPC_MESSAGE_MAX_BYTES } from "@kolu/contract/limits.ts";
import { WebCloseCode } from "@kolu/contract/web.ts";
import { relaySocket } from "@kolu/wire/relay.ts";
import { type WebSocket, WebSocketServer } from "ws";
import type { PadiKeeper } from "./padi-keeper.ts";

/** A browser that went to sleep or lost its network leaves sockets behind: no answer to a ping by the next one ends them. */
const PING_EVERY_MS = 30_000;
/** A close frame has room for 123 bytes of reason. */
const CLOSE_REASON_MAX_BYTES = 123;

export interface Relay {
  /** Takes over an upgrade that has been judged already. False: the path is none of ours, nothing was touched. */
  accept(request: IncomingMessage, duplex: Duplex, head: Buffer): boolean;
  close(): void;
}

export function openRelay(padi: PadiKeeper): Relay {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: RPC_MESSAGE_MAX_BYTES,
    skipUTF8Validation: true,
  });
  const answered = new WeakSet<WebSocket>();
  const pings = setInterval(() => {
    for (const socket of server.clients) {
      // A relay that holds its browser back does not see the answer either.
      if (socket.isPaused) continue;
      if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, PING_EVERY_MS);
  pings.unref();

  return {
    accept(request, duplex, head) {
      const path = request.url ?? "/";
      if (path !== "/rpc" && !parseAttachPath(path)) return false;
      server.handleUpgrade(request, duplex, head, (socket) => {
        answered.add(socket);
        socket.on("pong", () => answered.add(socket));
        socket.on("message", () => answered.add(socket));
        void join(padi, socket, path);
      });
      return true;
    },
    close() {
      clearInterval(pings);
      for (const socket of server.clients) socket.close(1001, "The web server is stopping.");
      server.close();
    },
  };
}

async function join(padi: PadiKeeper, socket: WebSocket, path: string): Promise<void> {
  socket.on("error", () => socket.terminate());
  socket.pause();
  try {
    relaySocket(socket, { socketPath: await padi.socketPath() }, path);
  } catch (error) {
    socket.resume();
    const reason = error instanceof Error ? error.message : String(error);
    socket.close(WebCloseCode.padiUnavailable, cutToBytes(reason, CLOSE_REASON_MAX_BYTES));
  }
}

/** The longest beginning of `text` that fits, whole characters only. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

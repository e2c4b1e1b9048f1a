// Serving side of the wire on a unix socket: /rpc for one contract, /attach/<id> handed to its owner.
import { chmod, unlink } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ParsedAttach } from "@kolu/contract/attach.ts";
import { parseAttachPath } from "@kolu/contract/attach.ts";
import { RPC_MESSAGE_MAX_BYTES } from "@kolu/contract/limits.ts";
import { type Contract, type Handlers, serve } from "@kolu/contract/rpc.ts";
import { type WebSocket, WebSocketServer } from "ws";
import { messageText, webSocketChannel } from "./channel.ts";

/** An accepted connection, as owners of /attach see it. */
export type AcceptedSocket = WebSocket;

export interface ServeOptions<C extends Contract> {
  /** Path of the socket; a stale file there is replaced: the caller holds the pid file, so nobody serves it. */
  socketPath: string;
  contract: C;
  handlers: Handlers<C>;
  /** A viewer arrived at /attach/<id>; `path` is its path and query, for relays. */
  onAttach(socket: AcceptedSocket, attach: ParsedAttach, path: string): void;
  /** An error that is no refusal: logged by the owner. The daemon goes on. */
  onBug(method: string, error: unknown): void;
}

export interface Served {
  /** Open /rpc connections. */
  clientCount(): number;
  /** Closes every connection and the socket file. */
  close(): Promise<void>;
}

/** Resolves once the socket accepts connections (mode 0600). */
export async function serveUnixSocket<C extends Contract>(options: ServeOptions<C>): Promise<Served> {
  const http = createServer((_request, response) => {
    response
      .writeHead(426, { connection: "close" })
      .end("This socket speaks WebSocket: /rpc and /attach/<id>.\n");
  });
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: RPC_MESSAGE_MAX_BYTES,
  });
  let clients = 0;

  http.on("upgrade", (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const path = request.url ?? "/";
    if (path === "/rpc") {
      sockets.handleUpgrade(request, duplex, head, (socket) => {
        clients += 1;
        socket.once("close", () => {
          clients -= 1;
        });
        serveRpc(socket, options);
      });
      return;
    }
    const attach = parseAttachPath(path);
    if (!attach) {
      duplex.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, duplex, head, (socket) => {
      socket.on("error", () => socket.terminate());
      options.onAttach(socket, attach, path);
    });
  });

  await unlink(options.socketPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(options.socketPath, () => {
      http.off("error", reject);
      resolve();
    });
  });
  await chmod(options.socketPath, 0o600);

  return {
    clientCount: () => clients,
    close() {
      for (const socket of sockets.clients) socket.terminate();
      return new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      });
    },
  };
}

function serveRpc<C extends Contract>(socket: WebSocket, options: ServeOptions<C>): void {
  const peer = serve(options.contract, options.handlers, webSocketChannel(socket), options.onBug);
  socket.on("message", (data, isBinary) => {
    if (isBinary) socket.close(1003, "/rpc carries text");
    else peer.receive(messageText(data));
  });
  socket.on("close", () => peer.close());
  // ws closes the socket after an error by itself; without a listener the error would end the process.
  socket.on("error", () => {});
}

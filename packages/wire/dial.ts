// Calling side of the wire on Node: an RPC client or an attach stream over a unix socket or a URL.
import {
  type AttachQuery,
  attachPath,
  decodeServerFrame,
  encodeViewerFrame,
  type ServerFrame,
  type ViewerFrame,
} from "@kolu/contract/attach.ts";
import { RPC_MESSAGE_MAX_BYTES } from "@kolu/contract/limits.ts";
import { type Client, type Contract, connect } from "@kolu/contract/rpc.ts";
import { type ClientOptions, WebSocket } from "ws";
import { messageBytes, messageText, webSocketChannel } from "./channel.ts";

/** A daemon's unix socket, or a server's base URL (`ws://127.0.0.1:7681`) with the headers it wants. */
export type Target = { socketPath: string } | { url: string; headers?: Record<string, string> };

/** Nobody answered: no socket, a dead one, or a refused upgrade. `cause` says which. */
export class DialFailed extends Error {
  constructor(target: string, cause: unknown) {
    super(`Cannot connect to ${target}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = "DialFailed";
  }
}

/** How long a dial may take before it counts as failed. */
const DIAL_TIMEOUT_MS = 10_000;

/** A WebSocket to `path` at the target, not yet open. */
export function openSocket(target: Target, path: string, options: ClientOptions = {}): WebSocket {
  const url = "socketPath" in target ? `ws+unix:${target.socketPath}:${path}` : `${target.url}${path}`;
  return new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: RPC_MESSAGE_MAX_BYTES,
    handshakeTimeout: DIAL_TIMEOUT_MS,
    ...("headers" in target && target.headers ? { headers: target.headers } : {}),
    ...options,
  });
}

function describe(target: Target): string {
  return "socketPath" in target ? target.socketPath : target.url;
}

function opened(socket: WebSocket, target: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", (error) => reject(new DialFailed(describe(target), error)));
    socket.once("close", (code) => reject(new DialFailed(describe(target), new Error(`closed (${code})`))));
  });
}

export interface RpcLink<C extends Contract> extends AsyncDisposable {
  client: Client<C>;
  /** Resolves when the connection is gone, for whatever reason; never rejects. */
  closed: Promise<void>;
  close(): void;
}

/** Rejects with DialFailed. When the link drops later, open calls end with LinkLost. */
export async function dialRpc<C extends Contract>(contract: C, target: Target): Promise<RpcLink<C>> {
  const socket = openSocket(target, "/rpc");
  const peer = connect(contract, webSocketChannel(socket));
  socket.on("message", (data) => peer.receive(messageText(data)));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  void closed.then(() => peer.close());
  await opened(socket, target);
  socket.on("error", () => {});
  const close = (): void => socket.terminate();
  return {
    client: peer,
    closed,
    close,
    async [Symbol.asyncDispose]() {
      close();
      await closed;
    },
  };
}

export interface AttachLink {
  send(frame: ViewerFrame): void;
  /** Unsent bytes on our side. */
  bufferedBytes(): number;
  /** Resolves with the close code when the connection is gone (AttachCloseCode says what ours mean); never rejects. */
  closed: Promise<number>;
  close(): void;
}

/** Frames are handed over in order; their payloads are views that stay valid. Rejects with DialFailed. */
export async function dialAttach(
  target: Target,
  id: string,
  query: AttachQuery,
  onFrame: (frame: ServerFrame) => void,
): Promise<AttachLink> {
  const socket = openSocket(target, attachPath(id, query), { skipUTF8Validation: true });
  socket.on("message", (data) => {
    const frame = decodeServerFrame(messageBytes(data));
    if (frame) onFrame(frame);
    else socket.close(1002, "unknown frame");
  });
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  await opened(socket, target);
  socket.on("error", () => {});
  return {
    send: (frame) => {
      if (socket.readyState === socket.OPEN) socket.send(encodeViewerFrame(frame));
    },
    bufferedBytes: () => socket.bufferedAmount,
    closed,
    close: () => socket.terminate(),
  };
}

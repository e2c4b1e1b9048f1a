// The page's one RPC link: a WebSocket to /rpc that comes back by itself. It knows calls and connections, nothing of
// terminals: store/workspace.ts tells it what to follow on every new connection.
import { type PadiContract, padiContract } from "@kolu/contract/padi.ts";
import { type Client, connect, LinkLost } from "@kolu/contract/rpc.ts";
import { compareProtocol, PADI_PROTOCOL } from "@kolu/contract/version.ts";
import { WebCloseCode } from "@kolu/contract/web.ts";

export type PadiClient = Client<PadiContract>;

export interface LinkState {
  /** connecting: the first time. lost: was live, is dialled again. signed-out: the server does not know this browser.
   * outdated: padi speaks another version than this page, which only a reload can mend. */
  kind: "connecting" | "live" | "lost" | "signed-out" | "outdated";
  sinceMs: number;
  /** Dials since the link was last live. */
  attempt: number;
  /** Which half is missing while lost: the web server, or padi behind it (with the server's words). */
  cause: "server" | "padi" | null;
  detail: string | null;
}

/** The first retry is at once, the last pace holds for as long as it takes. */
const RETRY_DELAYS_MS = [0, 250, 500, 1_000, 2_000, 5_000];
/** Where a restart enters the delays, so that a link which fails in the same way each time does not spin. */
const RESTART_ATTEMPT = 3;
/** A dial that has not opened by then is given up: a sleeping network leaves sockets that never answer. */
const DIAL_LIMIT_MS = 8_000;
/** Coming back to a page that slept: a link that does not answer within this is dead. */
const PROBE_LIMIT_MS = 3_000;

export function retryDelayMs(attempt: number): number {
  return RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)]!;
}

/** A page lives long: the padi behind it may have been replaced by one that it cannot talk to. */
function isSpoken(protocol: string): boolean {
  const compatibility = compareProtocol(protocol, PADI_PROTOCOL);
  return compatibility === "same" || compatibility === "daemon-newer-minor";
}

/** The part of a browser WebSocket that the link needs. */
export interface LinkSocket {
  readonly bufferedAmount: number;
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
}

export interface LinkOptions {
  openSocket(): LinkSocket;
  /** Whether the server knows this browser; null when it could not be asked. */
  isSignedIn(): Promise<boolean | null>;
  onState(state: LinkState): void;
  /** Runs on every new connection; `signal` aborts when that connection ends. */
  onLive(padi: PadiClient, signal: AbortSignal): void;
  now(): number;
}

export interface Link {
  /** Calls on the current connection; rejects with LinkLost while there is none. Never waits for one. */
  padi: PadiClient;
  /** Redials at once when lost, and asks for a sign of life when live: the page woke up or the network came back. */
  wake(): void;
  /** Drops the live connection and dials again after a pause: something on it went wrong that a fresh start may mend. */
  restart(): void;
  close(): void;
}

export function openLink(options: LinkOptions): Link {
  let state: LinkState = {
    kind: "connecting",
    sinceMs: options.now(),
    attempt: 0,
    cause: null,
    detail: null,
  };
  let live: { padi: PadiClient; drop(): void } | null = null;
  let dialling: { drop(): void } | null = null;
  let leastAttempt = 0;
  let retry: ReturnType<typeof setTimeout> | null = null;
  let closed = false;

  function become(next: Omit<LinkState, "sinceMs">): void {
    const sinceMs = next.kind === state.kind ? state.sinceMs : options.now();
    state = { ...next, sinceMs };
    options.onState(state);
  }

  function dial(): void {
    if (retry !== null) clearTimeout(retry);
    retry = null;
    if (closed || live || dialling) return;
    const socket = options.openSocket();
    const limit = setTimeout(() => socket.close(), DIAL_LIMIT_MS);
    const abort = new AbortController();
    const peer = connect(padiContract, {
      send: (text) => socket.send(text),
      drained: () => undefined,
    });
    let ended = false;
    function end(event: { code: number; reason: string }): void {
      if (ended) return;
      ended = true;
      clearTimeout(limit);
      socket.onopen = socket.onmessage = socket.onclose = null;
      dialling = null;
      live = null;
      peer.close();
      abort.abort(new LinkLost());
      if (!closed) onEnded(event);
    }
    function drop(): void {
      socket.close();
      // A browser may take a minute to report the close of a dead socket.
      end({ code: 1006, reason: "" });
    }
    dialling = { drop };
    socket.onclose = end;
    socket.onmessage = (event) => {
      if (typeof event.data === "string") peer.receive(event.data);
    };
    // The web server accepts before padi has answered, so only an answer makes the link live.
    socket.onopen = () => {
      peer.call("hello", {}).then(
        ({ protocol }) => {
          if (ended) return;
          clearTimeout(limit);
          if (!isSpoken(protocol)) {
            become({ kind: "outdated", attempt: 0, cause: null, detail: protocol });
            close();
            return;
          }
          dialling = null;
          live = { padi: peer, drop };
          become({ kind: "live", attempt: 0, cause: null, detail: null });
          options.onLive(peer, abort.signal);
        },
        () => drop(),
      );
    };
  }

  function onEnded(event: { code: number; reason: string }): void {
    const attempt = Math.max(state.kind === "live" ? 0 : state.attempt + 1, leastAttempt);
    leastAttempt = 0;
    const fromPadi = event.code === WebCloseCode.padiLost || event.code === WebCloseCode.padiUnavailable;
    const kind = state.kind === "connecting" ? "connecting" : "lost";
    become({ kind, attempt, cause: fromPadi ? "padi" : "server", detail: event.reason || null });
    retry = setTimeout(dial, retryDelayMs(attempt));
    if (!fromPadi && attempt > 0) void askWhetherSignedIn();
  }

  async function askWhetherSignedIn(): Promise<void> {
    const known = await options.isSignedIn();
    if (known !== false || closed || live) return;
    become({ ...state, kind: "signed-out" });
  }

  function wake(): void {
    if (closed) return;
    if (!live) {
      dialling?.drop();
      dial();
      return;
    }
    const { padi, drop } = live;
    const limit = setTimeout(drop, PROBE_LIMIT_MS);
    padi.call("hello", {}).then(
      () => clearTimeout(limit),
      () => clearTimeout(limit), // Only a lost link fails a hello, and its end has been handled.
    );
  }

  function close(): void {
    closed = true;
    if (retry !== null) clearTimeout(retry);
    dialling?.drop();
    live?.drop();
  }

  options.onState(state);
  dial();

  const padi: PadiClient = {
    call: (method, params, callOptions) =>
      live ? live.padi.call(method, params, callOptions) : Promise.reject(new LinkLost("Not connected.")),
    subscribe: (method, params, callOptions) => {
      if (!live) throw new LinkLost("Not connected.");
      return live.padi.subscribe(method, params, callOptions);
    },
  };
  return {
    padi,
    wake,
    restart() {
      leastAttempt = RESTART_ATTEMPT;
      live?.drop();
    },
    close,
  };
}

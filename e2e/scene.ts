// A page over a workspace that is made up: the real web server and page, in front of a padi that says what a test tells
// it to. For what a person sees in states that real agents reach only now and then. What runs for real is tested with
// real daemons; nothing here stands in for those.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeServerFrame } from "@kolu/contract/attach.ts";
import type { KavalNotice } from "@kolu/contract/kaval.ts";
import type { LiveViewFrame } from "@kolu/contract/live-view.ts";
import { type DaemonStatus, type PadiContract, padiContract } from "@kolu/contract/padi.ts";
import { DEFAULT_PREFERENCES, type Preferences } from "@kolu/contract/preferences.ts";
import { type Handlers, LinkLost } from "@kolu/contract/rpc.ts";
import type { RestoreProgress } from "@kolu/contract/sessions.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { Hello } from "@kolu/contract/version.ts";
import { placesFor } from "@kolu/daemon/places.ts";
import { linkFor, mintToken } from "@kolu/web/link.ts";
import { runWeb, type Web } from "@kolu/web/server.ts";
import { type Served, serveUnixSocket } from "@kolu/wire/serve.ts";

export interface Scene extends AsyncDisposable {
  url: string;
  newLink(): Promise<string>;
  /** Changes records; `removed` ids go away. */
  tell(upserts: TerminalRecord[], removed?: string[]): void;
  tellStatus(kaval: DaemonStatus["kaval"]): void;
  /** padi is of another build now. */
  tellBuild(buildId: string): void;
  /** A program rings, or says something for a person. */
  ring(notice: KavalNotice): void;
  tellRestoring(progress: RestoreProgress): void;
  /** What the page asked for, in order, views apart. */
  calls: { method: string; params: unknown }[];
  records: ReadonlyMap<string, TerminalRecord>;
  /** padi goes away; it comes back when asked. */
  dropPadi(): Promise<void>;
  returnPadi(): void;
  dropWeb(): Promise<void>;
  returnWeb(): Promise<void>;
}

const BOOT = "00000000-0000-4000-8000-00000000b007";

export async function startScene(
  first: TerminalRecord[],
  options: {
    screens?: (record: TerminalRecord) => string;
    staticDir?: string;
    /** Instead of what a scene answers by itself. */
    answers?: Partial<Handlers<PadiContract>>;
  } = {},
): Promise<Scene> {
  const directory = await mkdtemp(join(tmpdir(), "ks-"));
  const env = { XDG_RUNTIME_DIR: join(directory, "r"), HOME: directory };
  const stateRoot = join(directory, "s");
  await mkdir(env.XDG_RUNTIME_DIR, { mode: 0o700 });
  const { padiSocket } = placesFor(stateRoot, env);
  const records = new Map<string, TerminalRecord>(first.map((record) => [record.id, record]));
  const calls: Scene["calls"] = [];
  const screens = options.screens ?? ((record) => `${record.cwd} $ `);
  let hello: Hello = {
    name: "padi",
    protocol: "1.0",
    buildId: "scene",
    pid: process.pid,
    bootId: BOOT,
    stateRoot,
    startedAtMs: Date.now(),
  };
  let status: DaemonStatus = {
    padi: hello,
    kaval: { state: "connected", hello: { ...hello, name: "kaval" }, adopted: true, sinceMs: Date.now() },
  };
  let preferences: Preferences = { ...DEFAULT_PREFERENCES, fontPx: 14 };
  let restoring: RestoreProgress = { rows: [] };
  let revision = 1;
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const wake of listeners) wake();
  };

  /** Says what `read` answers now, and again after each change that made it another one. */
  async function* view<T>(read: () => T, signal: AbortSignal): AsyncGenerator<T> {
    let last: T | undefined;
    while (!signal.aborted) {
      const value = read();
      if (value !== last) yield value;
      last = value;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          listeners.delete(wake);
          resolve();
        };
        listeners.add(wake);
        signal.addEventListener("abort", wake, { once: true });
      });
    }
  }

  const notices: KavalNotice[] = [];
  /** What rings from now on. */
  async function* noticesOf(signal: AbortSignal): AsyncGenerator<KavalNotice> {
    let told = notices.length;
    for await (const count of view(() => notices.length, signal)) while (told < count) yield notices[told++]!;
  }

  const deltas: Extract<LiveViewFrame<TerminalRecord>, { kind: "delta" }>[] = [];
  function tell(upserts: TerminalRecord[], removed: string[] = []): void {
    for (const id of removed) records.delete(id);
    for (const record of upserts) records.set(record.id, record);
    revision += 1;
    deltas.push({ kind: "delta", revision, upserts, removals: removed });
    changed();
  }
  /** The records as they are, then each change. */
  async function* terminals(signal: AbortSignal): AsyncGenerator<LiveViewFrame<TerminalRecord>> {
    let told = deltas.length;
    yield { kind: "snapshot", boot: BOOT, revision, rows: [...records.values()] };
    for await (const count of view(() => deltas.length, signal)) while (told < count) yield deltas[told++]!;
  }
  function change(id: string, changes: Partial<TerminalRecord>): Record<never, never> {
    const record = records.get(id);
    if (record) tell([{ ...record, ...changes }]);
    return {};
  }

  const answers: Partial<Handlers<PadiContract>> = {
    hello: () => hello,
    drain: () => ({}),
    "status.watch": (_params, { signal }) => view(() => status, signal),
    "terminals.watch": (_params, { signal }) => terminals(signal),
    "urgency.watch": (_params, { signal }) => view(() => NO_URGENCY, signal),
    "notices.watch": (_params, { signal }) => noticesOf(signal),
    "preferences.watch": (_params, { signal }) => view(() => preferences, signal),
    "preferences.set": (next) => {
      preferences = { ...preferences, ...(next as Partial<Preferences>) };
      changed();
      return {};
    },
    "layout.set": ({ layouts }) => {
      const moved = layouts.flatMap(({ id, layout }) => {
        const record = records.get(id);
        return record ? [{ ...record, layout }] : [];
      });
      tell(moved);
      return {};
    },
    "recents.watch": (_params, { signal }) => view(() => NO_RECENTS, signal),
    "launch.choices": () => ({ home: "/home/me", host: "scene", agents: [], repos: [] }),
    "directory.look": () => ({ kind: "directory", path: "/home/me" }),
    async *"search.steps"() {},
    "terminal.markSeen": ({ id }) => change(id, { unread: 0 }),
    "terminal.setFont": ({ id, fontPx }) => change(id, { fontPx }),
    "terminal.kill": ({ id }) => {
      tell([], [id]);
      return { id, pid: null, survivors: [] };
    },
    "restore.watch": (_params, { signal }) => view(() => restoring, signal),
    "restore.plan": () => ({ rows: [] }),
    "restore.cancel": () => ({}),
    "workspace.startFresh": ({ ids }) => {
      tell([], ids);
      return { snapshot: "padi.db", forgot: ids };
    },
    "terminal.restore": ({ ids }) => {
      const wanted = ids ?? [...records.values()].filter(({ life }) => life === "parked").map(({ id }) => id);
      for (const id of wanted) change(id, { life: "active" });
      return { restored: wanted, failed: [] };
    },
    "terminal.sendInput": ({ text, key }) => ({
      sent: text === undefined ? { key: key ?? "" } : { textBytes: text.length, pasted: false },
      cursor: `${BOOT}:0:0`,
    }),
    "terminal.answer": ({ id, text }) => ({ id, outcome: "answered", entered: text !== undefined }),
    "terminal.wait": ({ id }) => ({
      id,
      result: "met",
      met: { fired: "idle", elapsedMs: 1 },
    }),
    "screen.text": ({ id }) => ({
      text: plain(screens(records.get(id)!)),
      cursor: `${BOOT}:0:0`,
    }),
  };
  const handlers = recorded({ ...answers, ...options.answers }, calls);

  async function startPadi(): Promise<Served> {
    return serveUnixSocket({
      socketPath: padiSocket,
      contract: padiContract,
      handlers,
      onAttach(socket, { id }) {
        const record = records.get(id);
        if (!record) return socket.close();
        const { cols, rows } = record.grid;
        const vt = new TextEncoder().encode(screens(record).replaceAll("\n", "\r\n"));
        socket.send(encodeServerFrame({ kind: "snapshot", offset: 0, cols, rows, boot: BOOT, vt }));
      },
      onBug: (method, error) => process.stderr.write(`scene: ${method}: ${String(error)}\n`),
    });
  }

  let padi: Served | null = null;
  let allowed = true;
  let web: Web;
  let port = 0;
  async function serveWeb(): Promise<void> {
    web = await runWeb({
      stateRoot,
      env,
      port,
      bind: "127.0.0.1",
      tls: null,
      behindProxy: null,
      async ensurePadi() {
        if (!allowed) throw new LinkLost("padi is not running.");
        padi ??= await startPadi();
        return padiSocket;
      },
      staticDir: options.staticDir ?? join(import.meta.dirname, "..", "packages", "client", "dist"),
      log: { info() {}, error() {} },
    });
    port = Number(new URL(web.url).port);
  }
  await serveWeb();

  return {
    get url() {
      return web.url;
    },
    newLink: async () => linkFor(web.url, await mintToken(stateRoot, Date.now())),
    tell,
    ring(notice) {
      notices.push(notice);
      changed();
    },
    tellStatus(kaval) {
      status = { ...status, kaval };
      changed();
    },
    tellBuild(buildId) {
      hello = { ...hello, buildId };
      status = { ...status, padi: hello };
      changed();
    },
    tellRestoring(progress) {
      restoring = progress;
      changed();
    },
    calls,
    records,
    async dropPadi() {
      allowed = false;
      await padi?.close();
      padi = null;
    },
    returnPadi() {
      allowed = true;
    },
    dropWeb: () => web.close(),
    returnWeb: serveWeb,
    async [Symbol.asyncDispose]() {
      await web.close();
      await padi?.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const NO_RECENTS = { repos: [], agents: [] };
const NO_URGENCY = { awaitingIds: [], finishedIds: [], workingIds: [], lingerIds: [] };

/** What a reader of the screen gets: the text without its colours. */
function plain(vt: string): string {
  return vt.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
}

/** The handlers, each call written down; what a scene does not answer is a fault that names itself. */
function recorded(answers: Partial<Handlers<PadiContract>>, calls: Scene["calls"]): Handlers<PadiContract> {
  const all = Object.keys(padiContract).map((method) => {
    const answer = answers[method as keyof PadiContract] as ((...args: unknown[]) => unknown) | undefined;
    const handler = (params: unknown, context: unknown): unknown => {
      if (!method.endsWith(".watch") && method !== "hello") calls.push({ method, params });
      if (!answer) throw new Error(`This scene has no ${method}.`);
      return answer(params, context);
    };
    return [method, handler];
  });
  return Object.fromEntries(all) as Handlers<PadiContract>;
}

// What the page knows of the workspace, fed by padi's live views and by nothing else, and the few writes that are shown
// before padi answers. Everything else is a plain call on `padi()`.
import type { KavalNotice } from "@kolu/contract/kaval.ts";
import type { LiveViewFrame } from "@kolu/contract/live-view.ts";
import type { DaemonStatus, Urgency } from "@kolu/contract/padi.ts";
import { DEFAULT_PREFERENCES, type Preferences } from "@kolu/contract/preferences.ts";
import { LinkLost } from "@kolu/contract/rpc.ts";
import type { RestoreProgress } from "@kolu/contract/sessions.ts";
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";
import { SESSION_PATH } from "@kolu/contract/web.ts";
import { create } from "zustand";
import { type Link, type LinkSocket, type LinkState, openLink, type PadiClient } from "./link.ts";
import {
  changeLayouts,
  EMPTY_MIRROR,
  type Mirror,
  settleLayouts,
  takeFrame,
  unansweredLayouts,
} from "./mirror.ts";

export interface Workspace {
  records: ReadonlyMap<string, TerminalRecord>;
  /**
   * Which views have spoken in this page's life: before that, "no terminals" and a default preference mean nothing.
   * Preferences speak first: a terminal laid out at a font that nobody chose would give its program a wrong grid.
   */
  told: { records: boolean; preferences: boolean };
  link: LinkState;
  status: DaemonStatus | null;
  /** Which build of padi this page met first: another one later means that the page is from before an update. */
  firstBuildId: string | null;
  preferences: Preferences;
  urgency: Urgency;
  /** The restore that is under way, or what is to be said of the last one. */
  restoring: RestoreProgress;
}

const NO_URGENCY: Urgency = { awaitingIds: [], finishedIds: [], workingIds: [], lingerIds: [] };

export const useWorkspace = create<Workspace>(() => ({
  records: EMPTY_MIRROR.records,
  told: { records: false, preferences: false },
  link: { kind: "connecting", sinceMs: Date.now(), attempt: 0, cause: null, detail: null },
  status: null,
  firstBuildId: null,
  preferences: DEFAULT_PREFERENCES,
  urgency: NO_URGENCY,
  restoring: { rows: [] },
}));

let mirror: Mirror = EMPTY_MIRROR;
let changeCount = 0;
let link: Link | null = null;

/** Every call on padi. Rejects with LinkLost while the link is down: nothing waits silently for it to come back. */
export function padi(): PadiClient {
  if (!link) throw new Error("startWorkspace() has not run");
  return link.padi;
}

const noticeListeners = new Set<(notice: KavalNotice) => void>();

/** Bells and notifications of programs as they happen. Returns how to stop. */
export function onNotice(listener: (notice: KavalNotice) => void): () => void {
  noticeListeners.add(listener);
  return () => noticeListeners.delete(listener);
}

/** Connects the page; returns how to end it. Called once by main.tsx. */
export function startWorkspace(): () => void {
  link = openLink({
    openSocket: () => new WebSocket(rpcUrl()) as unknown as LinkSocket,
    isSignedIn,
    onState: (state) => useWorkspace.setState({ link: state }),
    onLive: followAll,
    now: Date.now,
  });
  const wake = (): void => {
    if (document.visibilityState === "visible") link?.wake();
  };
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
  return () => {
    window.removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", wake);
    link?.close();
  };
}

/** A person does not want to wait for the next dial. */
export function retryNow(): void {
  link?.wake();
}

function rpcUrl(): string {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/rpc`;
}

async function isSignedIn(): Promise<boolean | null> {
  try {
    const answer = await fetch(SESSION_PATH, { cache: "no-store" });
    return answer.status === 401 ? false : answer.ok ? true : null;
  } catch {
    return null; // The server cannot be asked: that is "connection lost", and says nothing about the cookie.
  }
}

/** One round of subscriptions, for the life of one connection. */
function followAll(client: PadiClient, signal: AbortSignal): void {
  const preferred = Promise.withResolvers<void>();
  follow(client.subscribe("preferences.watch", {}, { signal }), signal, (preferences) => {
    useWorkspace.setState({ preferences });
    markTold("preferences");
    preferred.resolve();
  });
  const since = mirror.since ?? undefined;
  follow(client.subscribe("terminals.watch", since ? { since } : {}, { signal }), signal, async (frame) => {
    await preferred.promise;
    showMirror(takeFrame(mirror, frame as LiveViewFrame<TerminalRecord>));
    markTold("records");
  });
  follow(client.subscribe("status.watch", {}, { signal }), signal, (status) =>
    useWorkspace.setState(({ firstBuildId }) => ({
      status,
      firstBuildId: firstBuildId ?? status.padi.buildId,
    })),
  );
  follow(client.subscribe("urgency.watch", {}, { signal }), signal, (urgency) =>
    useWorkspace.setState({ urgency }),
  );
  follow(client.subscribe("restore.watch", {}, { signal }), signal, (restoring) =>
    useWorkspace.setState({ restoring }),
  );
  follow(client.subscribe("notices.watch", {}, { signal }), signal, (notice) => {
    for (const listener of noticeListeners) listener(notice);
  });
  const unanswered = unansweredLayouts(mirror);
  if (unanswered.length > 0) void setLayouts(unanswered);
}

/**
 * Applies each item. A view that ends or fails on a live link is a bug on one of the two sides: the link is dialled
 * again, which starts every view afresh, rather than leaving a page that silently shows the past.
 */
async function follow<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
  apply: (item: T) => void | Promise<void>,
) {
  try {
    for await (const item of items) await apply(item);
  } catch (error) {
    if (signal.aborted || error instanceof LinkLost) return;
    console.error("A live view of the workspace failed.", error);
  }
  if (!signal.aborted) link?.restart();
}

function markTold(view: keyof Workspace["told"]): void {
  const { told } = useWorkspace.getState();
  if (!told[view]) useWorkspace.setState({ told: { ...told, [view]: true } });
}

function showMirror(next: Mirror): void {
  mirror = next;
  useWorkspace.setState({ records: next.records });
}

/** Moves tiles: shown at once, kept over a lost connection, taken back when padi refuses. Rejects with what padi said. */
export async function setLayouts(layouts: readonly { id: string; layout: Layout }[]): Promise<void> {
  const change = ++changeCount;
  const known = layouts.flatMap(({ id, layout }) => {
    const record = mirror.told.get(id);
    return record ? [{ id: record.id, layout }] : [];
  });
  showMirror(changeLayouts(mirror, known, change));
  try {
    await padi().call("layout.set", { layouts: known });
    showMirror(settleLayouts(mirror, change, "taken"));
  } catch (error) {
    if (error instanceof LinkLost) return; // Kept as unanswered; followAll sends it again.
    showMirror(settleLayouts(mirror, change, "refused"));
    throw error;
  }
}

/** Preferences are shared by every browser; shown at once, corrected by the live view. */
export async function setPreferences(changed: Partial<Preferences>): Promise<void> {
  const before = useWorkspace.getState().preferences;
  useWorkspace.setState({ preferences: { ...before, ...changed } });
  try {
    await padi().call("preferences.set", changed);
  } catch (error) {
    useWorkspace.setState({ preferences: before });
    throw error;
  }
}

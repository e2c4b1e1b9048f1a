// Sounds and system notifications: one per episode, for what nobody looks at, by the means that a person chose. A click on
// one goes to the very terminal; nothing takes the focus by itself.
import { say } from "../canvas/notices.ts";
import { goTo } from "../dock/navigate.ts";
import { useUi } from "../store/ui.ts";
import { onNotice, useWorkspace } from "../store/workspace.ts";
import { type AlertWays, meansOf, minuteOf } from "./alerts.ts";
import { type Announcement, announcements } from "./announcements.ts";
import { announcementOf } from "./program-notices.ts";
import { play } from "./sound.ts";

/** Within this somebody who looks at the terminal, on this or another device, has let padi know. */
const LOOK_MS = 800;

export function canAskToNotify(): boolean {
  return "Notification" in window && Notification.permission === "default";
}

/** Only ever after a click: browsers hold an unasked question against a page. */
export async function askToNotify(): Promise<void> {
  const answer = await Notification.requestPermission();
  say(answer === "granted" ? "You will be notified." : "The browser does not let this page notify.");
}

/** Returns how to stop. */
export function startNotify(): () => void {
  const alone = speakForAllTabs();
  const lastNotices = new Map<string, number>();
  const stops = [
    useWorkspace.subscribe((now, before) => {
      if (now.records === before.records) return;
      for (const said of announcements(before.records, now.records)) {
        const means = meansNow(said);
        setTimeout(() => {
          const record = useWorkspace.getState().records.get(said.id);
          if (record !== undefined && record.unread > 0 && alone.speaks()) alert(said, means);
        }, LOOK_MS);
      }
    }),
    onNotice((notice) => {
      const record = useWorkspace.getState().records.get(notice.id);
      const said = announcementOf(notice, record, lastNotices.get(notice.id));
      if (!said) return;
      lastNotices.set(notice.id, notice.atMs);
      if (alone.speaks()) alert(said, meansNow(said));
    }),
    alone.stop,
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Of several tabs of one browser one speaks: whichever has the lock. Where there are no locks (a page that is not served
 * safely) each speaks, and the browser puts notifications of one tag together.
 */
function speakForAllTabs(): { speaks(): boolean; stop(): void } {
  const ending = new AbortController();
  let hasLock = !navigator.locks;
  navigator.locks
    ?.request("kolu.alerts", { signal: ending.signal }, () => {
      hasLock = true;
      return new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
    })
    .catch(() => {}); // Stopped while it waited.
  return { speaks: () => hasLock, stop: () => ending.abort() };
}

function isWatched(id: string): boolean {
  return useUi.getState().activeId === id && document.hasFocus();
}

/** By the hour at which it happened. */
function meansNow({ kind }: Announcement): AlertWays {
  return meansOf(kind, useWorkspace.getState().preferences, minuteOf(new Date()));
}

function alert(said: Announcement, means: AlertWays): void {
  if (isWatched(said.id)) return;
  if (means.sound) play(said.kind);
  if (means.notification) notify(said);
}

function notify({ id, words, why }: Announcement): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  // The tag replaces an older notice of the same terminal. The sound is ours, or there is none.
  const notice = new Notification(words, { tag: id, silent: true, ...(why === null ? {} : { body: why }) });
  notice.onclick = () => {
    window.focus();
    goTo(id);
    notice.close();
  };
}

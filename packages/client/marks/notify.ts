// System notifications, once a person has asked for them: one per episode, for what is not being looked at. A click goes
// to the very terminal; nothing takes the focus by itself.
import { say } from "../canvas/notices.ts";
import { goTo } from "../dock/navigate.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { type Announcement, announcements } from "./announcements.ts";

export function canAskToNotify(): boolean {
  return "Notification" in window && Notification.permission === "default";
}

export async function askToNotify(): Promise<void> {
  const answer = await Notification.requestPermission();
  say(answer === "granted" ? "You will be notified." : "The browser does not let this page notify.");
}

/** Returns how to stop. */
export function startNotify(): () => void {
  return useWorkspace.subscribe((now, before) => {
    if (now.records === before.records) return;
    for (const said of announcements(before.records, now.records)) if (!isWatched(said.id)) notify(said);
  });
}

function isWatched(id: string): boolean {
  return useUi.getState().activeId === id && document.hasFocus();
}

function notify({ id, words, why }: Announcement): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  // The tag replaces an older notice of the same terminal, in other tabs of this kolu too.
  const notice = new Notification(words, { tag: id, ...(why === null ? {} : { body: why }) });
  notice.onclick = () => {
    window.focus();
    goTo(id);
    notice.close();
  };
}

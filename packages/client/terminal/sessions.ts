// All terminals that this page has, by id: made when first shown, ended with their record, dialled again when the link
// to the server was lost or a terminal came back to life.
import type { Life } from "@kolu/contract/terminal.ts";
import { terminalScheme } from "@kolu/contract/terminal-schemes.ts";
import { say, sayFailure } from "../canvas/notices.ts";
import { typedBytes } from "../keys/sticky.ts";
import { isTouch } from "../narrow.ts";
import { createPaintedView } from "../painter/painted-view.ts";
import { painterStepsBack } from "../painter/painter.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { copyText } from "./copy.ts";
import { fontsReady } from "./fonts.ts";
import { createFrameQueue } from "./frame-queue.ts";
import { pathLinksOf } from "./path-links.ts";
import { createSession, type Session } from "./session.ts";
import type { ViewKind } from "./stage.ts";
import type { TerminalView, ViewEvents, ViewStart } from "./view.ts";

const sessions = new Map<string, Session>();
const frames = createFrameQueue({
  requestFrame: (run) => requestAnimationFrame(run),
  now: () => performance.now(),
});

/** The page's one session of a terminal. */
export function sessionOf(id: string): Session {
  const known = sessions.get(id);
  if (known) return known;
  const session = createSession({
    id,
    frames,
    copy: (text) => void copyText(text).catch(sayFailure("The text could not be copied")),
    openSocket,
    ready,
    createView: (kind, events, start) => createView(id, kind, events, start),
    scheme: terminalScheme(null, "dark").colors,
    onWish: () => {
      for (const listener of wishListeners) listener();
    },
    onFocus: (focusedId) => {
      if (useUi.getState().activeId !== focusedId) useUi.getState().setActive(focusedId);
    },
    onLineGone: () => say("That line is not in the terminal any more."),
    // The keyboard of a touch screen covers half of it, and gives the terminal this page's size: only a tap asks for that.
    keyboardFollows: () => !isTouch(),
    typed(bytes) {
      painterStepsBack();
      return typedBytes(bytes);
    },
    mayFocus: (wantedId) => {
      const { activeId, overlay } = useUi.getState();
      return activeId === wantedId && overlay === null && !isTyping(document.activeElement);
    },
  });
  sessions.set(id, session);
  return session;
}

const wishListeners = new Set<() => void>();

/** Hears when a terminal may have begun to wish to be live. Returns how to stop. */
export function onLiveWish(listener: () => void): () => void {
  wishListeners.add(listener);
  return () => wishListeners.delete(listener);
}

/** xterm.js is a third of the page's code: it comes beside the first screen, not before it. */
let createXtermView: typeof import("./xterm.ts").createXtermView | null = null;
const engineReady = import("./xterm.ts").then((engine) => {
  createXtermView = engine.createXtermView;
});
engineReady.catch(sayFailure("Terminals cannot be shown: their code could not be fetched. Reload the page"));
const ready = Promise.all([fontsReady, engineReady]);

function createView(id: string, kind: ViewKind, events: ViewEvents, start: ViewStart): TerminalView {
  if (kind === "painted") return createPaintedView(events, start);
  if (!createXtermView) throw new Error("A terminal was shown before its engine had come");
  return createXtermView(events, start, pathLinksOf(id));
}

/** Somebody writes into a field of the page: the keyboard stays there. */
function isTyping(element: Element | null): boolean {
  if (!element?.matches("input, textarea")) return false;
  return element.closest(".terminal-host") === null;
}

function openSocket(path: string): WebSocket {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}${path}`);
}

/** Keeps sessions in step with the workspace. Returns how to stop. */
export function followWorkspace(): () => void {
  return useWorkspace.subscribe((now, before) => {
    if (now.records !== before.records)
      for (const [id, session] of sessions) {
        const life = now.records.get(id)?.life;
        if (!life) {
          session.dispose();
          sessions.delete(id);
        } else if (cameBack(before.records.get(id)?.life, life)) session.redial({ fresh: true });
      }
    if (now.link.kind === "live" && before.link.kind !== "live")
      for (const session of sessions.values()) session.redial({ fresh: false });
  });
}

function cameBack(before: Life | undefined, now: Life): boolean {
  return before !== undefined && before !== "active" && now === "active";
}

// Fingers on a terminal: what they mean is decided in gesture.ts, here it is done.
import { type RefObject, useEffect } from "react";
import { panBy, zoomAt } from "../canvas/camera.ts";
import { setCamera, useCamera } from "../canvas/camera-store.ts";
import { goAlong } from "../dock/navigate.ts";
import { useUi } from "../store/ui.ts";
import { FONT_MAX_PX, FONT_MIN_PX } from "../terminal/fonts.ts";
import { sessionOf } from "../terminal/sessions.ts";
import {
  type Deed,
  type Finger,
  flingOn,
  type Gesture,
  gestureStep,
  HOLD_MS,
  linesOf,
  NO_GESTURE,
  type TouchEventKind,
} from "./gesture.ts";
import { selectingIn } from "./select.ts";
import { endSelection, selectionMade, useTouchSelection } from "./selection.tsx";
import { fontOnTouch } from "./touch-font.ts";

export function useFingers(slot: RefObject<HTMLElement | null>, id: string): void {
  useEffect(() => followFingers(slot.current!, id), [slot, id]);
}

/** Returns how to stop. */
function followFingers(slot: HTMLElement, id: string): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const scroll = scroller(slot, id);
  const selecting = selectingIn(slot);
  let gesture: Gesture = NO_GESTURE;
  let holdTimer: ReturnType<typeof setTimeout> | undefined;
  const pinching = pincher(slot, id);

  function take(event: TouchEventKind): void {
    const step = gestureStep(gesture, event, { swipes: isAlone() });
    gesture = step.gesture;
    for (const deed of step.deeds) act(deed);
  }

  function act(deed: Deed): void {
    switch (deed.kind) {
      case "scroll":
        scroll.by(deed.dy, deed.at);
        break;
      case "fling":
        scroll.fling(deed.speed, deed.at);
        break;
      case "drag":
        slot.style.transform = deed.dx === 0 ? "" : `translateX(${Math.round(deed.dx / 2)}px)`;
        break;
      case "next":
        goAlong(1);
        break;
      case "previous":
        goAlong(-1);
        break;
      case "pinch-start":
        pinching.start(deed.centre);
        break;
      case "pinch":
        pinching.move(deed.ratio, deed.centre);
        break;
      case "select-start":
        selecting.start(deed.at);
        break;
      case "select-move":
        selecting.move(deed.at);
        break;
      case "select-end":
        selecting.end();
        selectionMade(id);
        break;
      default:
        deed satisfies never;
    }
  }

  const on = (type: "touchstart" | "touchmove" | "touchend" | "touchcancel", hear: (e: TouchEvent) => void) =>
    slot.addEventListener(type, hear, { signal, passive: false });
  on("touchstart", (event) => {
    scroll.stop();
    if (useTouchSelection.getState().id === id) endSelection(id);
    clearTimeout(holdTimer);
    if (event.touches.length === 1) holdTimer = setTimeout(() => take({ kind: "held" }), HOLD_MS);
    else {
      event.preventDefault();
      event.stopPropagation();
    }
    take({ kind: "start", fingers: fingersOf(event) });
  });
  on("touchmove", (event) => {
    take({ kind: "move", fingers: fingersOf(event), atMs: event.timeStamp });
    if (gesture.kind === "down" || gesture.kind === "none") return;
    clearTimeout(holdTimer);
    event.preventDefault();
    event.stopPropagation();
  });
  on("touchend", (event) => {
    clearTimeout(holdTimer);
    // What was no tap must not become a click.
    if (gesture.kind !== "down" && gesture.kind !== "none" && event.cancelable) event.preventDefault();
    take({ kind: "end", fingers: fingersOf(event), atMs: event.timeStamp });
  });
  // A long press asks for a menu too; the engine answers that with its field for the keyboard.
  const onMenu = (event: MouseEvent): void => {
    if ((event as PointerEvent).pointerType !== "touch") return;
    event.preventDefault();
    event.stopPropagation();
  };
  slot.addEventListener("contextmenu", onMenu, { signal, capture: true });
  on("touchcancel", () => {
    clearTimeout(holdTimer);
    take({ kind: "cancel" });
  });
  return () => {
    stopping.abort();
    clearTimeout(holdTimer);
    scroll.stop();
  };
}

function fingersOf({ touches }: TouchEvent): Finger[] {
  return [...touches].map(({ clientX, clientY }) => ({ x: clientX, y: clientY }));
}

/** The terminal fills the screen: there is nothing but other terminals beside it. */
function isAlone(): boolean {
  return useUi.getState().maximisedId !== null;
}

interface Pincher {
  start(centre: Finger): void;
  move(ratio: number, centre: Finger): void;
}

/** Two fingers: the size of the text where a terminal fills the screen, else the camera. */
function pincher(slot: HTMLElement, id: string): Pincher {
  let startFontPx = 0;
  let startZoom = 1;
  let last: Finger = { x: 0, y: 0 };
  function resizeText(ratio: number): void {
    const px = Math.round(Math.min(FONT_MAX_PX, Math.max(FONT_MIN_PX, startFontPx * ratio)));
    if (px === fontOnTouch()) return;
    useUi.getState().setTouchFont(px);
    sessionOf(id).takeGrid();
  }
  function moveCamera(ratio: number, centre: Finger): void {
    const floor = slot.closest(".canvas")?.getBoundingClientRect();
    if (!floor) return;
    const panned = panBy(useCamera.getState().camera, centre.x - last.x, centre.y - last.y);
    const at = { x: centre.x - floor.left, y: centre.y - floor.top };
    setCamera(zoomAt(panned, at, startZoom * ratio));
    last = centre;
  }
  return {
    start(centre) {
      startFontPx = fontOnTouch();
      startZoom = useCamera.getState().camera.zoom;
      last = centre;
    },
    move(ratio, centre) {
      if (isAlone()) resizeText(ratio);
      else moveCamera(ratio, centre);
    },
  };
}

interface Scroller {
  by(dy: number, at: Finger): void;
  fling(speed: number, at: Finger): void;
  stop(): void;
}

/**
 * Scrolls a terminal by pixels: its own history line by line, and by a wheel where the program takes the mouse or there is
 * no history (an agent that fills the screen), so that it scrolls what it shows.
 */
function scroller(slot: HTMLElement, id: string): Scroller {
  let restPx = 0;
  let frame: number | null = null;

  function by(dy: number, at: Finger): void {
    const view = sessionOf(id).view();
    const grid = view?.grid();
    if (!view || !grid) return;
    const { lines: history, scrolledBack } = view.history();
    const screen = slot.querySelector<HTMLElement>(".xterm-screen") ?? slot;
    if (history === 0 || slot.querySelector(".enable-mouse-events")) {
      const wheel = { deltaY: -dy, deltaMode: 0, clientX: at.x, clientY: at.y };
      screen.dispatchEvent(new WheelEvent("wheel", { ...wheel, bubbles: true, cancelable: true }));
      return;
    }
    const moved = linesOf(restPx + dy, screen.clientHeight / grid.rows);
    restPx = moved.restPx;
    if (moved.lines !== 0) view.scrollBack(Math.max(0, Math.min(history, scrolledBack + moved.lines)));
  }

  function stop(): void {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
    restPx = 0;
  }

  return {
    by,
    stop,
    fling(first, at) {
      stop();
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      let speed = first;
      let beforeMs = performance.now();
      const step = (nowMs: number): void => {
        const on = flingOn(speed, Math.max(0, nowMs - beforeMs));
        beforeMs = nowMs;
        by(on.dy, at);
        speed = on.speed ?? 0;
        if (on.speed === null) stop();
        else frame = requestAnimationFrame(step);
      };
      frame = requestAnimationFrame(step);
    },
  };
}

// Selecting by a finger. The engine selects by mouse: a double press takes a word, moving extends by words. So a finger that
// has lain still presses a mouse for it.
import { platform } from "../keys/platform.ts";
import type { Finger } from "./gesture.ts";

export interface TouchSelecting {
  start(at: Finger): void;
  move(at: Finger): void;
  end(): void;
}

export function selectingIn(slot: HTMLElement): TouchSelecting {
  const send = (type: string, { x, y }: Finger, on: EventTarget, detail: number): void => {
    // A program that takes the mouse has it, unless the person insists; elsewhere that very key means another thing.
    const insists = slot.querySelector(".enable-mouse-events") !== null;
    const event = new MouseEvent(type, {
      bubbles: true,
      cancelable: true,
      button: 0,
      buttons: type === "mouseup" ? 0 : 1,
      clientX: x,
      clientY: y,
      detail,
      shiftKey: insists && platform === "other",
      altKey: insists && platform === "mac",
    });
    withoutKeyboard(slot, () => on.dispatchEvent(event));
  };
  let last: Finger = { x: 0, y: 0 };
  return {
    start(at) {
      last = at;
      send("mousedown", at, slot.querySelector(".xterm-screen") ?? slot, 2);
    },
    move(at) {
      last = at;
      send("mousemove", at, document, 0);
    },
    end() {
      send("mouseup", last, document, 0);
    },
  };
}

/** The engine takes the keyboard with each of these events; a finger that selects wants to see what it selects. */
function withoutKeyboard(slot: HTMLElement, act: () => unknown): void {
  const field = slot.querySelector("textarea");
  if (!field || document.activeElement === field) {
    act();
    return;
  }
  field.disabled = true;
  try {
    act();
  } finally {
    field.disabled = false;
  }
}

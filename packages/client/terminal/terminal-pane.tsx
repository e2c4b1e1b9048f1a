// The place of a terminal in a tile's body: gives its session an element and a frame.

import type { TerminalColorScheme } from "@kolu/contract/terminal-schemes.ts";
import { type JSX, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { useFingers } from "../touch/use-fingers.ts";
import type { SessionState } from "./session.ts";
import { sessionOf } from "./sessions.ts";
import "./terminal.css";

export interface TerminalPaneProps {
  id: string;
  /** The body of the tile in canvas pixels. */
  box: { w: number; h: number };
  zoom: number;
  fontPx: number;
  scheme: TerminalColorScheme;
}

export function TerminalPane({ id, box, zoom, fontPx, scheme }: TerminalPaneProps): JSX.Element {
  const slot = useRef<HTMLDivElement>(null);
  const session = sessionOf(id);
  const { w, h } = box;
  useFingers(slot, id);
  useLayoutEffect(() => {
    const element = slot.current!;
    session.mount(element);
    return () => session.unmount(element);
  }, [session]);
  useLayoutEffect(() => session.setFrame({ box: { w, h }, zoom, fontPx }), [session, w, h, zoom, fontPx]);
  useEffect(() => session.setColors(scheme), [session, scheme]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what lies in it takes the keyboard and is reached by it
    <div
      ref={slot}
      className="terminal-slot"
      onPointerEnter={() => session.pointerCame()}
      onPointerLeave={() => session.pointerLeft()}
      // Captured: the view that a press brings is there for the press itself.
      onPointerDownCapture={() => session.pressed()}
      // The press itself still goes to what was there before: the browser would give the keyboard to the tile around it.
      onMouseDown={(event) => event.target === event.currentTarget && event.preventDefault()}
      onWheel={({ nativeEvent }) => session.wheeled(nativeEvent)}
    />
  );
}

/** What a session says about itself, live. */
export function useSession(id: string): SessionState {
  const session = sessionOf(id);
  return useSyncExternalStore(session.subscribe, session.state);
}

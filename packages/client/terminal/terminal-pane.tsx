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
  return <div ref={slot} className="terminal-slot" onPointerEnter={() => session.pointerCame()} />;
}

/** What a session says about itself, live. */
export function useSession(id: string): SessionState {
  const session = sessionOf(id);
  return useSyncExternalStore(session.subscribe, session.state);
}

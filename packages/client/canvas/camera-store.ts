// The camera as the page has it now. The truth is here; React Flow is told, and tells about drags and pinches. Kept in
// localStorage: each browser looks at its own part of the plane.

import type { Point } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";
import { create } from "zustand";
import { atRest, between, Camera, fit, panBy, reveal, type Size, wheelZoomFactor, zoomAt } from "./camera.ts";

export interface CameraState {
  camera: Camera;
  /** The zoom at which text was last laid out: that of the camera whenever it rests. */
  settledZoom: number;
  screen: Size;
  /** Tiles are drawn as cards. */
  cards: boolean;
  /** False until a camera was restored or chosen. */
  placed: boolean;
  /** A gesture or a flight is going on. */
  moving: boolean;
}

const STORAGE_KEY = "kolu.camera";
/** A gesture is over when the camera has not moved for this long. */
const SETTLE_MS = 140;
/** The length of a move that kolu makes; a person who asked for less motion gets none. */
const FLIGHT_MS = 180;
/** Below the first, tiles turn into cards; they turn back above the second, so that a zoom at the edge does not flicker. */
const CARDS_BELOW_ZOOM = 0.4;
const CARDS_ABOVE_ZOOM = 0.43;
/** The zoom at which a tile that is brought into view can be read. */
const READABLE_ZOOM = 0.75;

function restored(): Camera | null {
  try {
    return Camera.parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null"));
  } catch {
    return null; // None yet, or another version's: the first look is chosen anew.
  }
}

const first = restored();

export const useCamera = create<CameraState>(() => ({
  camera: first ?? { x: 0, y: 0, zoom: 1 },
  settledZoom: first?.zoom ?? 1,
  screen: { w: 0, h: 0 },
  cards: (first?.zoom ?? 1) < CARDS_BELOW_ZOOM,
  placed: first !== null,
  moving: false,
}));

let settleTimer: ReturnType<typeof setTimeout> | undefined;
let settleFrame: number | null = null;
let flight: number | null = null;

function show(camera: Camera): void {
  const state = useCamera.getState();
  const cards = state.cards ? camera.zoom < CARDS_ABOVE_ZOOM : camera.zoom < CARDS_BELOW_ZOOM;
  useCamera.setState({ camera, cards, placed: true, moving: true });
  clearTimeout(settleTimer);
  // Counted from the frame that shows it: a slow page must not settle between two steps of one gesture.
  if (settleFrame !== null) cancelAnimationFrame(settleFrame);
  settleFrame = requestAnimationFrame(() => {
    settleFrame = null;
    settleTimer = setTimeout(settle, SETTLE_MS);
  });
}

/** The gesture is over: whole pixels, and text is laid out anew for this zoom. */
function settle(): void {
  clearTimeout(settleTimer);
  if (settleFrame !== null) cancelAnimationFrame(settleFrame);
  settleFrame = null;
  const camera = atRest(useCamera.getState().camera);
  useCamera.setState({ camera, settledZoom: camera.zoom, moving: false });
  localStorage.setItem(STORAGE_KEY, JSON.stringify(camera));
}

function stopFlight(): void {
  if (flight !== null) cancelAnimationFrame(flight);
  flight = null;
}

/** A camera that somebody's hand moved to. */
export function setCamera(camera: Camera): void {
  stopFlight();
  show(camera);
}

export function panCamera(dx: number, dy: number): void {
  setCamera(panBy(useCamera.getState().camera, dx, dy));
}

export function zoomCamera(at: Point, deltaYPx: number): void {
  const { camera } = useCamera.getState();
  setCamera(zoomAt(camera, at, camera.zoom * wheelZoomFactor(deltaYPx)));
}

/** Zooms about the middle of the screen. */
export function zoomTo(zoom: number): void {
  const { camera, screen } = useCamera.getState();
  flyTo(zoomAt(camera, { x: screen.w / 2, y: screen.h / 2 }, zoom));
}

export function flyTo(target: Camera): void {
  stopFlight();
  const from = useCamera.getState().camera;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    show(target);
    settle();
    return;
  }
  const startMs = performance.now();
  const step = (nowMs: number): void => {
    const t = Math.min(1, Math.max(0, nowMs - startMs) / FLIGHT_MS);
    show(between(from, target, t));
    flight = t < 1 ? requestAnimationFrame(step) : null;
    if (t === 1) settle();
  };
  flight = requestAnimationFrame(step);
}

/** Brings a box into view, if it is not. */
export function revealBox(box: Layout): void {
  const { camera, screen } = useCamera.getState();
  if (screen.w === 0) return;
  const target = reveal(camera, box, screen, READABLE_ZOOM);
  if (target !== camera) flyTo(target);
}

/** Brings all boxes into view. */
export function fitBoxes(boxes: Iterable<Layout>): void {
  const target = fit(boxes, useCamera.getState().screen);
  if (target) flyTo(target);
}

/** The first look at a workspace, unless this browser has looked before: everything, without a flight. */
export function placeCamera(boxes: Layout[]): void {
  const { placed, screen } = useCamera.getState();
  if (placed) return;
  const target = fit(boxes, screen);
  if (!target) return;
  show(target);
  settle();
}

/** The canvas has another size: tiles stay where they are, so that a panel that opens and closes again has moved nothing. */
export function setScreen(screen: Size): void {
  const { screen: before } = useCamera.getState();
  if (before.w !== screen.w || before.h !== screen.h) useCamera.setState({ screen });
}

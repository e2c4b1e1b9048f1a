// Tells every session how alive it is, whenever what can be seen changes. The deciding is in terminal/lifecycle.ts.

import { tileIdOf } from "@kolu/contract/plane/tiles.ts";
import { setPainterMoving } from "../painter/painter.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { decideLives, gatherMsOf, type LifecycleInput, type Lives } from "../terminal/lifecycle.ts";
import { decideLiveSet } from "../terminal/live-set.ts";
import { onLiveWish, sessionOf } from "../terminal/sessions.ts";
import { shownIn, useTabs } from "../tile/tabs-store.ts";
import { treesOf } from "../tile/trees.ts";
import { viewOf } from "./camera.ts";
import { useCamera } from "./camera-store.ts";
import { boxOf, useLayouts } from "./layouts.ts";

/** Runs until the returned function is called. Decides at most once a frame. */
export function followLives(): () => void {
  let lives: Lives = new Map();
  let liveIds: readonly string[] = [];
  let frame: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function decide(): void {
    frame = null;
    clearTimeout(timer);
    const decided = decideLives(lives, seenNow());
    const seen = [...decided.lives].flatMap(([id, { tier }]) => (tier === "off-screen" ? [] : [id]));
    const { moving } = useCamera.getState();
    // While the plane moves, tiles pass under a pointer that rests: nobody points at them.
    const wished = seen.filter((id) => (moving ? liveIds.includes(id) : sessionOf(id).wishesLive()));
    liveIds = decideLiveSet(liveIds, { seen, focusedId: useUi.getState().activeId, wished });
    for (const [id, { tier }] of decided.lives) {
      const actual = tier === "visible" && !liveIds.includes(id) ? "painted" : tier;
      if (tier !== "off-screen" || lives.has(id))
        sessionOf(id).setTier(actual, gatherMsOf(tier, seen.length));
    }
    lives = decided.lives;
    if (decided.againAtMs !== null) timer = setTimeout(ask, Math.max(0, decided.againAtMs - Date.now()));
  }
  function ask(): void {
    frame ??= requestAnimationFrame(decide);
  }
  // A hidden page has no frames, and must still end what nobody sees.
  function onVisibility(): void {
    if (document.hidden) decide();
    else ask();
  }

  const stops = [
    useCamera.subscribe((now, before) => {
      if (now.moving !== before.moving) setPainterMoving(now.moving);
      ask();
    }),
    useWorkspace.subscribe((now, before) => {
      if (now.records !== before.records) ask();
    }),
    useUi.subscribe(ask),
    onLiveWish(ask),
    useTabs.subscribe(ask),
    useLayouts.subscribe(ask),
  ];
  document.addEventListener("visibilitychange", onVisibility);
  ask();
  return () => {
    for (const stop of stops) stop();
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(timer);
    if (frame !== null) cancelAnimationFrame(frame);
  };
}

function seenNow(): LifecycleInput {
  const { records } = useWorkspace.getState();
  const { camera, screen, cards } = useCamera.getState();
  const { activeId, maximisedId } = useUi.getState();
  const { shown } = useTabs.getState();
  const tiles = [...treesOf(records).values()].flatMap(({ root, splits }) => {
    const box = boxOf(root.id);
    const id = shownIn(root.id, shown, (wanted) => splits.some((split) => split.id === wanted));
    return box ? [{ tileId: root.id, id, box }] : [];
  });
  const maximisedTile = maximisedId === null ? null : tileIdOf(records, maximisedId);
  return {
    shown: tiles.map(({ id, box }) => ({ id, box })),
    view: viewOf(camera, screen),
    zoom: camera.zoom,
    cards,
    focusedId: activeId,
    maximisedId: tiles.find(({ tileId }) => tileId === maximisedTile)?.id ?? null,
    pageVisible: !document.hidden,
    nowMs: Date.now(),
  };
}

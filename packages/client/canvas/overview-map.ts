// The scale of the minimap: the whole plane, or what of it matters, in a small box. Pure.

import { boundsOf, type Point } from "@kolu/contract/plane/geometry.ts";
import type { Layout } from "@kolu/contract/terminal.ts";
import type { Size } from "./camera.ts";

export interface OverviewMap {
  /** Map pixels a canvas pixel. */
  scale: number;
  /** The canvas point at the map's top left corner. */
  origin: Point;
}

/** Free space at the edge of the map, in map pixels. */
const MARGIN_PX = 6;

/** A map that shows all tiles and the view, centred. */
export function overviewMap(boxes: readonly Layout[], view: Layout, map: Size): OverviewMap {
  const bounds = boundsOf([...boxes, view])!;
  const scale = Math.min((map.w - 2 * MARGIN_PX) / bounds.w, (map.h - 2 * MARGIN_PX) / bounds.h);
  return {
    scale,
    origin: {
      x: bounds.x - (map.w / scale - bounds.w) / 2,
      y: bounds.y - (map.h / scale - bounds.h) / 2,
    },
  };
}

export function toMap({ scale, origin }: OverviewMap, box: Layout): Layout {
  return { x: (box.x - origin.x) * scale, y: (box.y - origin.y) * scale, w: box.w * scale, h: box.h * scale };
}

export function fromMap({ scale, origin }: OverviewMap, at: Point): Point {
  return { x: at.x / scale + origin.x, y: at.y / scale + origin.y };
}

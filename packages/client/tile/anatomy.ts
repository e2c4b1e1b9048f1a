// The parts of a tile and their boxes, in canvas pixels from the tile's own corner. Pure.

/** Height of the title bar and of the strip of tabs, borders not counted. */
export const TITLE_PX = 32;
export const TABS_PX = 26;
export const BORDER_PX = 1;

export interface Anatomy {
  title: Part;
  body: Part;
  /** Null without splits. */
  tabs: Part | null;
}

export interface Part {
  left: number;
  top: number;
  w: number;
  h: number;
}

export function anatomyOf(size: { w: number; h: number }, hasSplits: boolean): Anatomy {
  const w = size.w - 2 * BORDER_PX;
  const tabsPx = hasSplits ? TABS_PX : 0;
  const bodyTop = BORDER_PX + TITLE_PX;
  const bodyBottom = size.h - BORDER_PX - tabsPx;
  return {
    title: { left: BORDER_PX, top: BORDER_PX, w, h: TITLE_PX },
    body: { left: BORDER_PX, top: bodyTop, w, h: Math.max(0, bodyBottom - bodyTop) },
    tabs: hasSplits ? { left: BORDER_PX, top: bodyBottom, w, h: tabsPx } : null,
  };
}

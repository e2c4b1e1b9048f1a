// Which rows of a long list are near the eye: only these are drawn. All rows are equally high.
import { type RefObject, useLayoutEffect, useState } from "react";

export interface RowWindow {
  from: number;
  /** Exclusive. */
  to: number;
}

/** Rows drawn above and below what can be seen, so that a fast wheel meets no blank. */
const MARGIN_ROWS = 30;

/** Pure. */
export function windowOf(
  { scrollTop, heightPx }: { scrollTop: number; heightPx: number },
  { rowPx, count }: { rowPx: number; count: number },
): RowWindow {
  const first = Math.floor(scrollTop / rowPx);
  const from = Math.max(0, Math.min(count, first - MARGIN_ROWS));
  const to = Math.min(count, Math.ceil((scrollTop + heightPx) / rowPx) + MARGIN_ROWS);
  return { from, to: Math.max(from, to) };
}

export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: { rowPx: number; count: number },
): RowWindow {
  const { rowPx, count } = rows;
  const [shown, setShown] = useState<RowWindow>({ from: 0, to: Math.min(count, MARGIN_ROWS * 2) });
  useLayoutEffect(() => {
    const element = scroller.current!;
    const look = (): void =>
      setShown((before) => {
        const next = windowOf(
          { scrollTop: element.scrollTop, heightPx: element.clientHeight },
          { rowPx, count },
        );
        return next.from === before.from && next.to === before.to ? before : next;
      });
    look();
    element.addEventListener("scroll", look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      resized.disconnect();
    };
  }, [scroller, rowPx, count]);
  return shown;
}

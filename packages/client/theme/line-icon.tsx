// A line icon of one path on a 16 x 16 grid.
import type { JSX } from "react";

export function LineIcon({
  path,
  sizePx,
  className,
}: {
  path: string;
  /** Absent: as large as its class says. */
  sizePx?: number;
  className?: string;
}): JSX.Element {
  return (
    <svg className={className} viewBox="0 0 16 16" width={sizePx} height={sizePx} aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

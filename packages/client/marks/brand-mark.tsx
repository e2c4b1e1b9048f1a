import type { JSX } from "react";
import { brandOf } from "./brand.ts";

/** Which agent it is: stands beside the state mark, never instead of it. */
export function BrandMark({ kind, sizePx = 14 }: { kind: string; sizePx?: number }): JSX.Element {
  const { displayName, path } = brandOf(kind);
  if (path === null)
    return (
      <span className="brand brand-letter" title={displayName}>
        {displayName.slice(0, 2)}
      </span>
    );
  return (
    <svg
      className="brand"
      viewBox="0 0 24 24"
      width={sizePx}
      height={sizePx}
      role="img"
      aria-label={displayName}
    >
      <title>{displayName}</title>
      <path d={path} fill="currentColor" fillRule="evenodd" />
    </svg>
  );
}

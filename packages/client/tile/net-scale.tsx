// Part of a scaled tile whose content is laid out in real screen pixels: text keeps its hinting and its least size, and
// a pointer position means what it says. Inside, `--s` is the zoom.
import type { CSSProperties, JSX, ReactNode, Ref } from "react";
import { counterTransform } from "../terminal/geometry.ts";
import type { Part } from "./anatomy.ts";

export interface NetScaleProps {
  part: Part;
  /** Where the tile begins on the canvas. */
  origin: { x: number; y: number };
  zoom: number;
  className: string;
  children?: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

export function NetScale({ part, origin, zoom, className, children, ref }: NetScaleProps): JSX.Element {
  const left = Math.round((origin.x + part.left) * zoom);
  const top = Math.round((origin.y + part.top) * zoom);
  const style: CSSProperties & { "--s": number } = {
    position: "absolute",
    left: part.left,
    top: part.top,
    // Whole pixels from edge to edge, so that neighbouring parts neither overlap nor leave a seam.
    width: Math.round((origin.x + part.left + part.w) * zoom) - left,
    height: Math.round((origin.y + part.top + part.h) * zoom) - top,
    transform: counterTransform({ left: origin.x + part.left, top: origin.y + part.top }, zoom),
    transformOrigin: "0 0",
    "--s": zoom,
  };
  return (
    <div ref={ref} className={className} style={style}>
      {children}
    </div>
  );
}

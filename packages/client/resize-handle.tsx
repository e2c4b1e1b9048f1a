// The edge by which a part of the page is made wider: by dragging, or by arrow keys when it has the focus; a double click
// puts it back.
import { type JSX, type PointerEvent, useRef } from "react";

const STEP_PX = 16;

export interface ResizeHandleProps {
  className: string;
  label: string;
  /** On which side of the part the handle lies: a drag to that side makes it wider. */
  side: "left" | "right";
  widthPx: number;
  minPx: number;
  maxPx: number;
  firstPx: number;
  onWidth(px: number): void;
}

export function ResizeHandle(props: ResizeHandleProps): JSX.Element {
  const { className, label, widthPx, minPx, maxPx, firstPx, onWidth } = props;
  const wider = props.side === "right" ? 1 : -1;
  const start = useRef<{ x: number; widthPx: number } | null>(null);
  const onPointerMove = (event: PointerEvent): void => {
    if (start.current) onWidth(start.current.widthPx + wider * (event.clientX - start.current.x));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule between two parts of the page that can be moved has no element of its own
    <div
      className={className}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={widthPx}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, widthPx };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        start.current = null;
      }}
      onPointerCancel={() => {
        if (start.current) onWidth(start.current.widthPx);
        start.current = null;
      }}
      onDoubleClick={() => onWidth(firstPx)}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") onWidth(widthPx - wider * STEP_PX);
        if (event.key === "ArrowRight") onWidth(widthPx + wider * STEP_PX);
      }}
    />
  );
}

// The one component that draws a state, on every surface.
import type { JSX } from "react";
import { createElement } from "react";
import { type Mark, markLabel } from "./mark-of.ts";
import "./marks.css";
import { SHAPES } from "./shapes.ts";

/** `sizePx`: 16 in rows and titles. The badge of an unread terminal sits on the mark's corner. */
export function StateMark({ mark, sizePx = 16 }: { mark: Mark; sizePx?: number }): JSX.Element {
  const shape = SHAPES[mark.kind];
  const motion = shape.motion === null ? "" : ` mark-${shape.motion}`;
  const lively = mark.lively && mark.kind === "shell" ? " mark-lively" : "";
  return (
    <span
      className={`mark${lively}`}
      data-mark={mark.kind}
      data-unread={mark.unread || undefined}
      style={{ width: sizePx, height: sizePx, color: `var(--${shape.hue})` }}
      title={mark.why === null ? mark.words : `${mark.words}: ${mark.why}`}
    >
      <svg viewBox="0 0 16 16" role="img" aria-label={markLabel(mark)} className={`mark-shape${motion}`}>
        {shape.parts.map(({ element, attributes }, index) =>
          createElement(element, { key: index, fillRule: "evenodd", ...camelCased(attributes) }),
        )}
      </svg>
    </span>
  );
}

function camelCased(attributes: Readonly<Record<string, string | number>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

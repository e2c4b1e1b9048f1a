// The few line icons of the chrome, on a 16 x 16 grid.
import type { JSX } from "react";
import { LineIcon } from "./line-icon.tsx";

const PATHS = {
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.5 10.5 14 14",
  plus: "M8 3v10M3 8h10",
  dock: "M2.5 3h11v10h-11ZM6.5 3v10",
  panel: "M2.5 3h11v10h-11ZM9.5 3v10",
  copy: "M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3",
  tick: "M3 8.5 6.5 12 13 4.5",
  file: "M4 2.5h5l3 3v8H4ZM9 2.5v3h3",
  folded: "M6 4l4 4-4 4",
  unfolded: "M4 6l4 4 4-4",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  keys: "M2 4.5h12v7H2ZM4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.5h6",
  settings:
    "M2 4.5h6M12 4.5h2M10 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM2 11.5h2M8 11.5h6M6 9.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  back: "M10 3 5 8l5 5",
  forward: "M6 3l5 5-5 5",
  "scheme-dark": "M13.2 9.8A5.7 5.7 0 1 1 6.2 2.8a4.6 4.6 0 0 0 7 7Z",
  "scheme-light":
    "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7",
  "scheme-system": "M2.5 3h11v8h-11ZM6 13.5h4M8 11v2.5",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }): JSX.Element {
  return <LineIcon path={PATHS[name]} sizePx={16} />;
}

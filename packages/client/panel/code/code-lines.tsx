// Rows of code with their numbers: coloured, selected by line with mouse or keyboard, only those near the eye drawn. The
// same for a file and for a difference.
import {
  type CSSProperties,
  type JSX,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { TokenLine } from "./highlight.ts";
import { type CodeRow, LINE_MAX_CHARS, TAB_COLS, widestCols } from "./rows.ts";
import { useHighlight } from "./use-highlight.ts";
import { useWindow } from "./use-window.ts";

/** Rows of code, both ends included. */
export interface RowRange {
  from: number;
  to: number;
}

export interface CodeLinesProps {
  path: string;
  rows: readonly CodeRow[];
  label: string;
  /** Both numbers are shown. */
  diff: boolean;
  /** Rows that have a comment. */
  marked: ReadonlySet<number>;
  selected: RowRange | null;
  /** Brought into view when it changes. */
  reveal: { row: number; wish: number } | null;
  onSelect(range: RowRange | null): void;
  /** The selected lines are to be commented. */
  onComment(): void;
}

const ROW_PX = 20;
const SIGNS: Record<CodeRow["kind"], string> = { line: " ", added: "+", removed: "−", gap: " " };

export function CodeLines(props: CodeLinesProps): JSX.Element {
  const { path, rows, diff, selected, onSelect } = props;
  const scroller = useRef<HTMLElement>(null);
  const { from, to } = useWindow(scroller, { rowPx: ROW_PX, count: rows.length });
  const tokens = useHighlight(path, rows);
  const cols = useMemo(() => widestCols(rows), [rows]);
  const digits = String(
    rows.reduce((max, row) => Math.max(max, row.newLine ?? 0, row.oldLine ?? 0), 0),
  ).length;
  const [anchor, setAnchor] = useState<number | null>(null);
  const dragging = useRef(false);
  useReveal(scroller, props.reveal);

  function select(at: number, extend: boolean): void {
    const start = extend && anchor !== null ? anchor : at;
    setAnchor(start);
    onSelect({ from: Math.min(start, at), to: Math.max(start, at) });
  }
  function rowUnder(event: PointerEvent): number {
    const { top } = scroller.current!.getBoundingClientRect();
    const at = Math.floor((event.clientY - top + scroller.current!.scrollTop) / ROW_PX);
    return Math.min(rows.length - 1, Math.max(0, at));
  }
  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0 || !(event.target as Element).closest(".code-numbers")) return;
    event.preventDefault();
    scroller.current!.focus();
    scroller.current!.setPointerCapture(event.pointerId);
    dragging.current = true;
    select(rowUnder(event), event.shiftKey);
  }
  function onPointerMove(event: PointerEvent): void {
    if (dragging.current) select(rowUnder(event), true);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      // The end that moves is the one away from the anchor.
      const end = selected === null ? from - step : selected.from === anchor ? selected.to : selected.from;
      const at = Math.min(rows.length - 1, Math.max(0, end + step));
      select(at, event.shiftKey);
      keepInView(scroller.current!, at);
    } else if ((event.key === "Enter" || event.key === "c") && selected !== null) {
      event.preventDefault();
      props.onComment();
    } else if (event.key === "Escape" && selected !== null) {
      event.preventDefault();
      onSelect(null);
    }
  }
  return (
    <section
      ref={scroller}
      className="code-lines"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls and selects must be reachable by keyboard
      tabIndex={0}
      data-diff={diff || undefined}
      style={{ "--digits": digits, "--cols": cols, tabSize: TAB_COLS } as CSSProperties}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        dragging.current = false;
      }}
      onPointerCancel={() => {
        dragging.current = false;
      }}
      onKeyDown={onKeyDown}
    >
      <div className="code-space" style={{ height: rows.length * ROW_PX }}>
        <div style={{ transform: `translateY(${from * ROW_PX}px)` }}>
          {rows.slice(from, to).map((row, index) => {
            const at = from + index;
            return (
              <Line
                key={at}
                row={row}
                tokens={tokens.get(at)}
                diff={diff}
                selected={selected !== null && at >= selected.from && at <= selected.to}
                marked={props.marked.has(at)}
              />
            );
          })}
        </div>
      </div>
    </section>
  );
}

function useReveal(
  scroller: React.RefObject<HTMLElement | null>,
  reveal: { row: number; wish: number } | null,
): void {
  const row = reveal?.row ?? null;
  const wish = reveal?.wish ?? null;
  // A new wish for the same line is a reason to show it again
  useEffect(() => {
    const element = scroller.current;
    if (row === null || !element) return;
    element.scrollTop = Math.max(0, row * ROW_PX - element.clientHeight / 3);
    element.scrollLeft = 0;
  }, [row, wish, scroller]);
}

function keepInView(element: HTMLElement, row: number): void {
  const top = row * ROW_PX;
  if (top < element.scrollTop) element.scrollTop = top;
  if (top + ROW_PX > element.scrollTop + element.clientHeight)
    element.scrollTop = top + ROW_PX - element.clientHeight;
}

interface LineProps {
  row: CodeRow;
  tokens: TokenLine | undefined;
  diff: boolean;
  selected: boolean;
  marked: boolean;
}

const Line = memo(function Line({ row, tokens, diff, selected, marked }: LineProps): JSX.Element {
  return (
    <div
      className="code-row"
      data-kind={row.kind}
      data-line={row.newLine ?? undefined}
      data-selected={selected || undefined}
      data-marked={marked || undefined}
    >
      <span className="code-numbers">
        {diff && <span>{row.oldLine}</span>}
        <span>{row.newLine}</span>
      </span>
      {diff && <span className="code-sign">{SIGNS[row.kind]}</span>}
      <code>{coloured(row.text, tokens)}</code>
    </div>
  );
});

function coloured(text: string, tokens: TokenLine | undefined): JSX.Element[] | string {
  if (text.length > LINE_MAX_CHARS)
    return `${text.slice(0, LINE_MAX_CHARS)} … ${text.length - LINE_MAX_CHARS} more characters`;
  if (!tokens) return text;
  let at = 0;
  return tokens.map(([length, role], index) => {
    const part = text.slice(at, at + length);
    at += length;
    return (
      <span key={index} data-role={role ?? undefined}>
        {part}
      </span>
    );
  });
}

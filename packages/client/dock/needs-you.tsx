// The strip on top of the dock: everyone who waits for a person, with the last lines and a reply box, so that answering
// does not take leaving what one does.
import { type FormEvent, type JSX, useState } from "react";
import { say, sayFailure } from "../canvas/notices.ts";
import { BrandMark } from "../marks/brand-mark.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { useNow } from "../tile/now.ts";
import type { DockRow } from "./dock-rows.ts";
import { goTo } from "./navigate.ts";
import { replyWithKey, replyWithText } from "./reply.ts";
import { waitWords } from "./time-words.ts";
import { useLastLines } from "./use-last-lines.ts";

export function NeedsYou({ rows }: { rows: readonly DockRow[] }): JSX.Element | null {
  const [openId, setOpenId] = useState<string | null>(null);
  if (rows.length === 0) return null;
  const byWait = rows.toSorted((a, b) => sinceMs(a) - sinceMs(b));
  // The longest wait is open unless a person opened another one.
  const open = byWait.find((row) => row.record.id === openId) ?? byWait[0]!;
  return (
    <section className="needs-you" aria-label="Needs you">
      {byWait.map((row) => (
        <Waiter key={row.record.id} row={row} open={row === open} onOpen={() => setOpenId(row.record.id)} />
      ))}
    </section>
  );
}

function sinceMs({ record }: DockRow): number {
  return record.agent?.sinceMs ?? record.program?.updatedAtMs ?? record.lifeSinceMs;
}

function Waiter({ row, open, onOpen }: { row: DockRow; open: boolean; onOpen(): void }): JSX.Element {
  const nowMs = useNow();
  const { record, mark } = row;
  return (
    <article className="waiter" data-open={open || undefined}>
      <button
        type="button"
        className="waiter-head"
        aria-expanded={open}
        onClick={open ? () => goTo(record.id) : onOpen}
      >
        <StateMark mark={mark} />
        <span className="waiter-name">{row.name}</span>
        {record.agent && <BrandMark kind={record.agent.kind} sizePx={12} />}
        <span className="wait-chip">{waitWords(nowMs - sinceMs(row))}</span>
      </button>
      {open && <Answer row={row} />}
    </article>
  );
}

function Answer({ row }: { row: DockRow }): JSX.Element {
  const { record, mark } = row;
  const lines = useLastLines(record);
  return (
    <div className="waiter-body">
      {mark.why !== null && <p className="waiter-why">{mark.why}</p>}
      {lines !== null && lines !== "" && (
        <pre className="waiter-lines">
          <span>{lines}</span>
        </pre>
      )}
      <Reply row={row} />
    </div>
  );
}

/** Keys that answer the dialogs of agents: a numbered choice, yes, no. */
const QUICK_KEYS: [label: string, key: string][] = [
  ["1", "1"],
  ["2", "2"],
  ["3", "3"],
  ["↑", "Up"],
  ["↓", "Down"],
  ["Esc", "Escape"],
  ["⏎", "Enter"],
];

function Reply({ row }: { row: DockRow }): JSX.Element {
  const { id } = row.record;
  const [text, setText] = useState("");
  const [sending, setSending] = useState(false);
  const failed = sayFailure("The reply was not sent");
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text === "") return;
    setSending(true);
    try {
      const { words, taken } = await replyWithText(id, text);
      if (taken) setText("");
      say(`${row.name}: ${words}`);
    } catch (error) {
      failed(error); // The text stays in the box.
    } finally {
      setSending(false);
    }
  }
  return (
    <form className="reply" onSubmit={submit}>
      <div className="reply-keys">
        {QUICK_KEYS.map(([label, key]) => (
          <button
            key={key}
            type="button"
            aria-label={`Press ${key}`}
            onClick={() => replyWithKey(id, key).catch(failed)}
          >
            {label}
          </button>
        ))}
      </div>
      <input
        aria-label="Reply"
        placeholder={sending ? "Sending…" : "Reply…"}
        aria-busy={sending}
        value={text}
        readOnly={sending}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}

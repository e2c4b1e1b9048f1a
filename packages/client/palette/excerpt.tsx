// What was said around a hit in a conversation.
import type { TranscriptItem } from "@kolu/contract/transcript.ts";
import { type JSX, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { goTo } from "../dock/navigate.ts";
import { brandOf } from "../marks/brand.ts";
import { padi } from "../store/workspace.ts";
import type { TranscriptHit } from "./jump.ts";

/** Items shown on each side of the hit. */
const AROUND = 3;
/** A tool may have printed a book. */
const MAX_BYTES = 256 * 1024;

interface Shown {
  items: { index: number; item: TranscriptItem }[];
}

export interface ExcerptProps {
  hit: TranscriptHit;
  name: string;
  query: string;
  onBack(): void;
  onLeave(): void;
}

export function Excerpt({ hit, name, query, onBack, onLeave }: ExcerptProps): JSX.Element {
  const [shown, setShown] = useState<Shown | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const go = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    go.current?.focus();
    const abort = new AbortController();
    const after = hit.item - AROUND - 1;
    padi()
      .call(
        "transcript.read",
        { id: hit.id, before: hit.item + AROUND + 1, maxBytes: MAX_BYTES, ...(after < 0 ? {} : { after }) },
        { signal: abort.signal },
      )
      .then(
        ({ items, firstIndex = 0 }) =>
          setShown({ items: items.map((item, at) => ({ index: firstIndex + at, item })) }),
        (error: unknown) => {
          if (!abort.signal.aborted) setFault(error instanceof Error ? error.message : String(error));
        },
      );
    return () => abort.abort();
  }, [hit]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onBack();
  };
  return (
    <section className="excerpt" aria-label={`Conversation in ${name}`} onKeyDown={onKeyDown}>
      <header>
        <button type="button" className="quiet-button" onClick={onBack}>
          ← Results
        </button>
        <strong>
          {name}, {brandOf(hit.agent).displayName}
        </strong>
        <button
          ref={go}
          type="button"
          className="big-button"
          onClick={() => {
            onLeave();
            goTo(hit.id);
          }}
        >
          Go to the terminal <kbd aria-hidden>↩</kbd>
        </button>
      </header>
      <div className="excerpt-items" aria-busy={shown === null && fault === null}>
        {fault !== null && <p className="launch-note wrong">The conversation could not be read: {fault}</p>}
        {shown?.items.map(({ index, item }) => (
          <Item key={index} item={item} query={query} isHit={index === hit.item} />
        ))}
      </div>
    </section>
  );
}

const KIND_WORDS: Record<TranscriptItem["kind"], string> = {
  user: "You",
  assistant: "Agent",
  reasoning: "Reasoning",
  tool: "Tool",
  note: "Note",
};

export function kindWords(kind: TranscriptItem["kind"]): string {
  return KIND_WORDS[kind];
}

function Item({ item, query, isHit }: { item: TranscriptItem; query: string; isHit: boolean }): JSX.Element {
  const own = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isHit) (own.current?.querySelector("mark") ?? own.current)?.scrollIntoView({ block: "center" });
  }, [isHit]);
  return (
    <article ref={own} data-kind={item.kind} data-hit={isHit || undefined}>
      <h3>{item.kind === "tool" ? `${KIND_WORDS.tool}: ${item.name}` : KIND_WORDS[item.kind]}</h3>
      <pre>
        <Marked text={textOf(item)} query={isHit ? query : ""} />
      </pre>
    </article>
  );
}

function textOf(item: TranscriptItem): string {
  if (item.kind !== "tool") return item.text;
  return [item.input, ...(item.output ? [item.output] : [])].join("\n");
}

/** Text with every match marked, as the search itself matches. */
function Marked({ text, query }: { text: string; query: string }): JSX.Element {
  const wanted = query.trim();
  if (wanted === "") return <>{text}</>;
  const pattern = wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const parts = text.split(new RegExp(`(${pattern})`, /\p{Lu}/u.test(wanted) ? "u" : "iu"));
  return <>{parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>;
}

// The navigator: who needs me, who finished, what is everyone doing. A sidebar; it never covers a tile.
import { type CSSProperties, type JSX, memo } from "react";
import { BrandMark } from "../marks/brand-mark.tsx";
import { attentionOf } from "../marks/mark-of.ts";
import { StateMark } from "../marks/state-mark.tsx";
import { useNarrow } from "../narrow.ts";
import { ResizeHandle } from "../resize-handle.tsx";
import { DOCK_FIRST_PX, DOCK_MAX_PX, DOCK_MIN_PX, useUi } from "../store/ui.ts";
import { hueColor, monogramFill } from "../theme/hue.ts";
import { Icon } from "../tile/icon.tsx";
import { useNow } from "../tile/now.ts";
import { sleepIdle, wakeTerminals } from "../tile/sleeping.ts";
import "./dock.css";
import { type DockFilter, filterCards } from "./dock-filter.ts";
import { useDockLook } from "./dock-look.ts";
import { type DockCard, type DockRow, isSameRow, rowOrder } from "./dock-rows.ts";
import { FilterBar } from "./filter-bar.tsx";
import { goTo } from "./navigate.ts";
import { NeedsYou } from "./needs-you.tsx";
import { ageWords, waitWords } from "./time-words.ts";
import { useDockCards } from "./use-dock.ts";
import { usePlacesShown } from "./use-places-shown.ts";

export function Dock(): JSX.Element | null {
  const cards = useDockCards();
  const chosen = useUi((ui) => ui.dockMode);
  // On a narrow page the dock is the list itself.
  const mode = useNarrow() ? "cards" : chosen;
  const widthPx = useUi((ui) => ui.dockWidthPx);
  const order = rowOrder(cards);
  const { filter, compact } = useDockLook();
  const activeId = useUi((ui) => ui.activeId);
  const filtered = filterCards(cards, filter, { nowMs: useNow(), activeId });
  if (mode === "hidden") return null;
  if (mode === "rail")
    return (
      <nav className="dock dock-rail" aria-label="Terminals">
        {cards.map((card) => (
          <RailCard key={card.key} card={card} />
        ))}
      </nav>
    );
  return (
    <nav
      className="dock"
      aria-label="Terminals"
      data-compact={compact || undefined}
      style={{ "--dock-width": `${widthPx}px` } as CSSProperties}
    >
      <NeedsYou rows={order.filter((row) => row.mark.kind === "awaiting")} />
      <div className="dock-cards">
        {filtered.cards.map((card) => (
          <Card key={card.key} card={card} order={order} />
        ))}
      </div>
      {wantsFilters(order, filter) && <FilterBar hiddenCount={filtered.hiddenCount} />}
      <ResizeHandle
        className="dock-resize"
        label="Width of the dock"
        side="right"
        widthPx={widthPx}
        minPx={DOCK_MIN_PX}
        maxPx={DOCK_MAX_PX}
        firstPx={DOCK_FIRST_PX}
        onWidth={useUi.getState().setDockWidth}
      />
    </nav>
  );
}

/** More rows than these are worth a filter. */
const FEW_ROWS = 5;

function wantsFilters(order: readonly DockRow[], filter: DockFilter): boolean {
  return order.length > FEW_ROWS || filter.hideAsleep || filter.quietForMs !== null;
}

function Card({ card, order }: { card: DockCard; order: DockRow[] }): JSX.Element {
  return (
    <section className="dock-card" aria-label={card.name}>
      <h2 className="dock-card-name" title={card.path}>
        {card.isRepo && (
          <span className="monogram" style={{ background: monogramFill(card.name) }} aria-hidden="true">
            {card.name.slice(0, 1).toUpperCase()}
          </span>
        )}
        <span className="dock-card-title">{card.name}</span>
        <CardActions card={card} />
        <span className="dock-card-count">{card.rows.length}</span>
      </h2>
      <ul>
        {card.rows.map((row) => (
          <Row key={row.record.id} row={row} place={order.indexOf(row) + 1} />
        ))}
      </ul>
    </section>
  );
}

/** What can be done to all terminals of a card at once. */
function CardActions({ card }: { card: DockCard }): JSX.Element {
  const idsOf = (life: DockRow["record"]["life"]) =>
    card.rows.flatMap(({ record }) => (record.life === life ? [record.id] : []));
  const awake = idsOf("active");
  const asleep = idsOf("sleeping");
  return (
    <span className="dock-card-acts">
      {awake.length > 0 && (
        <button
          type="button"
          aria-label={`Put the idle terminals of ${card.name} to sleep`}
          title="Put the idle ones to sleep"
          onClick={() => void sleepIdle(awake)}
        >
          <Icon name="sleep" />
        </button>
      )}
      {asleep.length > 0 && (
        <button
          type="button"
          aria-label={`Wake the terminals of ${card.name}`}
          title={`Wake ${asleep.length}`}
          onClick={() => void wakeTerminals(asleep)}
        >
          <Icon name="wake" />
        </button>
      )}
    </span>
  );
}

/** The first nine rows have a chord. */
const PLACES = 9;

/** The list is derived anew with every change of any record; a row whose own facts are the same is not drawn again. */
const Row = memo(DrawnRow, (a, b) => a.place === b.place && isSameRow(a.row, b.row));

function DrawnRow({ row, place }: { row: DockRow; place: number }): JSX.Element {
  const { record, mark } = row;
  const active = useUi((ui) => ui.activeId === record.id);
  const placesShown = usePlacesShown();
  const branch = record.git?.branch ?? null;
  return (
    <li>
      <button
        type="button"
        className="dock-row"
        data-depth={Math.min(row.depth, 3)}
        data-attention={attentionOf(mark) ?? undefined}
        data-life={record.life}
        aria-current={active || undefined}
        title={record.cwd}
        onClick={() => goTo(record.id)}
      >
        <StateMark mark={mark} />
        <span className="dock-row-text">
          <span className="dock-row-name">
            <span style={branch !== null && row.name === branch ? { color: hueColor(branch) } : undefined}>
              {row.name}
            </span>
            {record.agent && <BrandMark kind={record.agent.kind} sizePx={12} />}
          </span>
          <span className="dock-row-doing">
            {mark.kind !== "shell" && <em>{mark.words}</em>}
            {row.doing !== null && <span>{row.doing}</span>}
            {mark.kind === "shell" && row.doing === null && <span>{mark.words}</span>}
            {row.tellApart !== null && <code>{row.tellApart}</code>}
          </span>
        </span>
        {placesShown && place <= PLACES ? <kbd>{place}</kbd> : <Age row={row} />}
      </button>
    </li>
  );
}

/** How long it has waited for a person, else how long ago something happened. */
function Age({ row }: { row: DockRow }): JSX.Element {
  const nowMs = useNow();
  const { agent, program, lastActivityAtMs, createdAtMs } = row.record;
  if (row.mark.kind === "awaiting") {
    const sinceMs = agent?.sinceMs ?? program?.updatedAtMs ?? nowMs;
    return <span className="wait-chip">{waitWords(nowMs - sinceMs)}</span>;
  }
  return <span className="dock-row-age">{ageWords(nowMs - (lastActivityAtMs ?? createdAtMs))}</span>;
}

function RailCard({ card }: { card: DockCard }): JSX.Element {
  const activeId = useUi((ui) => ui.activeId);
  return (
    <ul className="rail-card">
      {card.rows.map((row) => (
        <li key={row.record.id}>
          <button
            type="button"
            className="rail-chip"
            data-attention={attentionOf(row.mark) ?? undefined}
            aria-current={activeId === row.record.id || undefined}
            title={`${card.name}, ${row.name}: ${row.mark.words}`}
            onClick={() => goTo(row.record.id)}
          >
            <StateMark mark={row.mark} />
            <span aria-hidden="true" style={card.isRepo ? { color: hueColor(card.name) } : undefined}>
              {(card.isRepo ? card.name : row.name).slice(0, 2)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

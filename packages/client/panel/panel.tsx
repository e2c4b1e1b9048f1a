// The right panel: what is known of the active terminal, and the files that it works on. It takes its place beside the
// canvas and never covers a tile; on a narrow page it fills the page.

import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type CSSProperties, type JSX, type KeyboardEvent, useEffect } from "react";
import { revealTerminal } from "../canvas/view-actions.ts";
import { BrandMark } from "../marks/brand-mark.tsx";
import { markOf } from "../marks/mark-of.ts";
import { nameOf } from "../marks/name-of.ts";
import { StateMark } from "../marks/state-mark.tsx";
import { ResizeHandle } from "../resize-handle.tsx";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { Icon } from "../theme/icon.tsx";
import { activate } from "../tile/actions.ts";
import { CodeTab } from "./code/code-tab.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import "./panel.css";
import {
  closePanel,
  PANEL_FIRST_PX,
  PANEL_MAX_PX,
  PANEL_MIN_PX,
  PANEL_TABS,
  type PanelTab,
  setPanelWidth,
  showPanel,
  usePanel,
  wasOpenAtFirst,
} from "./panel-store.ts";

const TAB_WORDS: Record<PanelTab, string> = { inspector: "Inspector", code: "Code" };

// The default export is what lazy() wants.
export default function Panel(): JSX.Element {
  const { tab, widthPx } = usePanel();
  const activeId = useUi((ui) => ui.activeId);
  const record = useWorkspace(({ records }) => (activeId === null ? undefined : records.get(activeId)));
  useActiveInView();
  return (
    <aside
      className="panel"
      aria-label="Details"
      style={{ "--panel-width": `${widthPx}px` } as CSSProperties}
      onKeyDown={leaveByEscape}
    >
      <ResizeHandle
        className="panel-resize"
        label="Width of the panel"
        side="left"
        widthPx={widthPx}
        minPx={PANEL_MIN_PX}
        maxPx={PANEL_MAX_PX}
        firstPx={PANEL_FIRST_PX}
        onWidth={setPanelWidth}
      />
      <header className="panel-head">
        <div className="panel-tabs" role="tablist" aria-label="Details" onKeyDown={alongTabs}>
          {PANEL_TABS.map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              id={`panel-tab-${each}`}
              aria-selected={tab === each}
              aria-controls="panel-body"
              tabIndex={tab === each ? 0 : -1}
              onClick={() => showPanel(each)}
            >
              {TAB_WORDS[each]}
            </button>
          ))}
        </div>
        {record && <Who record={record} />}
        <button type="button" className="icon-button" aria-label="Close the panel" onClick={closePanel}>
          <Icon name="close" />
        </button>
      </header>
      <div
        className="panel-body"
        id="panel-body"
        role="tabpanel"
        aria-labelledby={`panel-tab-${tab}`}
        data-tab={tab}
      >
        {record === undefined ? (
          <p className="panel-empty">Choose a terminal: what is known of it shows here.</p>
        ) : tab === "inspector" ? (
          <Inspector key={record.id} record={record} />
        ) : (
          <CodeTab record={record} />
        )}
      </div>
    </aside>
  );
}

function Who({ record }: { record: TerminalRecord }): JSX.Element {
  return (
    <span className="panel-who" title={record.cwd}>
      <StateMark mark={markOf(record)} />
      {record.agent && <BrandMark kind={record.agent.kind} sizePx={12} />}
      <span>{nameOf(record)}</span>
    </span>
  );
}

/** The panel takes room from the canvas: the tile that it is about must not lie outside of what is left. */
function useActiveInView(): void {
  useEffect(() => {
    if (wasOpenAtFirst()) return; // The camera is where it was left, panel and all.
    // The canvas learns its new size a frame later.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        const { activeId } = useUi.getState();
        if (activeId !== null) revealTerminal(activeId);
      });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
}

/** Escape that nothing in the panel wanted gives the keyboard back to the terminal; the panel stays. */
function leaveByEscape(event: KeyboardEvent): void {
  const { activeId } = useUi.getState();
  if (event.key !== "Escape" || event.defaultPrevented || activeId === null) return;
  event.preventDefault();
  activate(activeId);
}

function alongTabs(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  const { tab } = usePanel.getState();
  const next = PANEL_TABS[(PANEL_TABS.indexOf(tab) + step + PANEL_TABS.length) % PANEL_TABS.length]!;
  showPanel(next);
  document.getElementById(`panel-tab-${next}`)?.focus();
}

// The strip on top: is the link alive, who needs me, who finished, and the few things one reaches for with a mouse.
import type { JSX } from "react";
import { goToNext } from "./dock/navigate.ts";
import { useActions } from "./keys/actions.ts";
import { Caps } from "./keys/caps.tsx";
import { cycleDock, cycleScheme } from "./keys/page-actions.ts";
import { openLaunch } from "./launch/wish.ts";
import { countAttention } from "./marks/announcements.ts";
import { nameOf } from "./marks/name-of.ts";
import { useNarrow, useTouch } from "./narrow.ts";
import { togglePalette } from "./palette/scope.ts";
import { togglePanel, usePanel } from "./panel/panel-store.ts";
import type { LinkState } from "./store/link.ts";
import { useUi } from "./store/ui.ts";
import { useWorkspace } from "./store/workspace.ts";
import { Icon } from "./theme/icon.tsx";
import { Along } from "./touch/along.tsx";

export function ChromeBar(): JSX.Element {
  const narrow = useNarrow();
  const narrowView = useUi((ui) => ui.narrowView);
  const touch = useTouch();
  const alone = useUi((ui) => ui.maximisedId !== null);
  // One terminal at a time; a phone has room for nothing else then.
  const onePlace = narrow ? narrowView === "terminal" : touch && alone;
  const crowded = narrow && onePlace;
  const setOverlay = useUi((ui) => ui.setOverlay);
  const palette = useActions((registry) => registry.actions.find(({ id }) => id === "page.palette"));
  return (
    <header className="chrome">
      {narrow && narrowView === "terminal" ? <BackToList /> : <Logo />}
      <AttentionPills />
      <span className="chrome-space" />
      {onePlace && <Along />}
      <button type="button" className="chrome-search" onClick={() => togglePalette("all")}>
        <Icon name="search" />
        <span>Search</span>
        {!narrow && palette && <Caps action={palette} />}
      </button>
      {!crowded && <IconButton name="plus" label="New terminal" onClick={() => openLaunch()} />}
      {!narrow && <IconButton name="dock" label="Dock: cards, rail, hidden" onClick={cycleDock} />}
      <IconButton
        name="panel"
        label="Details of this terminal"
        onClick={() => togglePanel(usePanel.getState().tab)}
      />
      {!narrow && <SchemeButton />}
      {!crowded && <IconButton name="settings" label="Settings" onClick={() => setOverlay("settings")} />}
      {!narrow && <IconButton name="keys" label="Show all keys" onClick={() => setOverlay("keys")} />}
    </header>
  );
}

const LINK_WORDS: Record<LinkState["kind"], string> = {
  connecting: "Connecting",
  live: "Connected",
  lost: "Connection lost",
  "signed-out": "This browser is not let in",
  outdated: "This page is from before an update",
};

function Logo(): JSX.Element {
  const kind = useWorkspace((workspace) => workspace.link.kind);
  return (
    <span className="logo" data-link={kind} title={LINK_WORDS[kind]}>
      <svg viewBox="0 0 16 16" width="18" height="18" role="img" aria-label={LINK_WORDS[kind]}>
        <path
          d="M4 2.6V13.4M4 8.6 9.4 3.6M6.2 7 10 13.4"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <circle className="logo-link" cx="13" cy="4" r="1.9" />
      </svg>
      <b>kolu</b>
    </span>
  );
}

function BackToList(): JSX.Element {
  const setNarrowView = useUi((ui) => ui.setNarrowView);
  const activeId = useUi((ui) => ui.activeId);
  const active = useWorkspace((workspace) => workspace.records.get(activeId ?? ""));
  return (
    <button type="button" className="back" onClick={() => setNarrowView("list")}>
      <Icon name="back" />
      <span>{active ? nameOf(active) : "Terminals"}</span>
    </button>
  );
}

/** A number in a pill always means "act here"; a click goes there. */
function AttentionPills(): JSX.Element {
  const records = useWorkspace((workspace) => workspace.records);
  const { needsYou, notSeen } = countAttention(records);
  return (
    <>
      {needsYou > 0 && (
        <button
          type="button"
          className="pill"
          data-attention="needs-you"
          onClick={() => goToNext("needs-you")}
        >
          {needsYou} <span>{needsYou === 1 ? "needs you" : "need you"}</span>
        </button>
      )}
      {notSeen > 0 && (
        <button type="button" className="pill" data-attention="not-seen" onClick={() => goToNext("not-seen")}>
          {notSeen} <span>finished</span>
        </button>
      )}
    </>
  );
}

function SchemeButton(): JSX.Element {
  const scheme = useWorkspace((workspace) => workspace.preferences.scheme);
  return <IconButton name={`scheme-${scheme}`} label={`Scheme: ${scheme}`} onClick={cycleScheme} />;
}

function IconButton({
  name,
  label,
  onClick,
}: {
  name: Parameters<typeof Icon>[0]["name"];
  label: string;
  onClick(): void;
}): JSX.Element {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={name} />
    </button>
  );
}

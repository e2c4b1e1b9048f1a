// What lies in a tile: the terminal's screen, and over it what has to be said about it, each with its own action.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { CSSProperties, JSX } from "react";
import { markOf } from "../marks/mark-of.ts";
import { useTouch } from "../narrow.ts";
import { useWorkspace } from "../store/workspace.ts";
import { SearchBar } from "../terminal/search-bar.tsx";
import type { SessionState } from "../terminal/session.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { TerminalPane, useSession } from "../terminal/terminal-pane.tsx";
import { useTerminalScheme } from "../theme/terminal-themes.ts";
import { SelectionBar } from "../touch/selection.tsx";
import { useTouchFont } from "../touch/touch-font.ts";
import { closeTerminal } from "./close.ts";
import { useFileDrop } from "./file-drop.ts";
import { FilesUnderWay } from "./files-under-way.tsx";
import { Icon } from "./icon.tsx";
import { wakeTerminals } from "./sleeping.ts";
import { byteCount } from "./words.ts";

export interface BodyProps {
  record: TerminalRecord;
  box: { w: number; h: number };
  zoom: number;
}

export function Body({ record, box, zoom }: BodyProps): JSX.Element {
  const session = useSession(record.id);
  const preferredPx = useWorkspace((workspace) => workspace.preferences.fontPx);
  const scheme = useTerminalScheme(record).colors;
  const touchPx = useTouchFont();
  const { hovering, handlers } = useFileDrop(record);
  return (
    <div
      className="tile-screen"
      {...handlers}
      data-drop={hovering || undefined}
      aria-busy={!session.shown && !session.gone}
      data-life={record.life}
      data-letterboxed={session.letterboxed || undefined}
      style={{ "--screen": scheme.background, background: "var(--screen)" } as CSSProperties}
    >
      <TerminalPane
        id={record.id}
        box={box}
        zoom={zoom}
        fontPx={touchPx ?? record.fontPx ?? preferredPx}
        scheme={scheme}
      />
      <SelectionBar id={record.id} />
      {session.searching && <SearchBar id={record.id} />}
      {!session.scroll.atBottom && (
        <button
          type="button"
          className="jump-down"
          onClick={() => sessionOf(record.id).view()?.scrollToBottom()}
        >
          <Icon name="down" /> Newest
        </button>
      )}
      <div className="tile-sayings">
        <Sayings record={record} session={session} />
        <FilesUnderWay id={record.id} />
      </div>
    </div>
  );
}

/** One line for each thing that is not as usual. */
function Sayings({ record, session }: { record: TerminalRecord; session: SessionState }): JSX.Element {
  const { attach, offer, shown } = session;
  const own = sessionOf(record.id);
  const touch = useTouch();
  const live = record.life === "active";
  const disconnected = attach.phase !== "live";
  return (
    <>
      {session.gone && !shown && <p className="saying">No screen of it was kept</p>}
      {live && !shown && !session.gone && <p className="saying late">Fetching the screen…</p>}
      {live && attach.outboxBytes > 0 && (
        <p className={disconnected ? "saying warn" : "saying warn late"} role="status">
          {attach.refused ? "The program is not reading: " : ""}
          typing is waiting ({byteCount(attach.outboxBytes)})
        </p>
      )}
      {attach.lost && (
        <p className="saying warn" role="alert">
          {lostWords(attach.lost)}
          <button type="button" onClick={() => own.forgetLoss()}>
            Understood
          </button>
        </p>
      )}
      {offer !== null && (
        <p className="saying" role="alert">
          The program offers {offer.length.toLocaleString()} characters for your clipboard
          <button type="button" onClick={() => own.answerOffer(true)}>
            Copy
          </button>
          <button type="button" onClick={() => own.answerOffer(false)}>
            No
          </button>
        </p>
      )}
      {live && touch && session.letterboxed && (
        <p className="saying">
          At another screen's size
          <button type="button" onClick={() => own.takeGrid()}>
            Fit it here
          </button>
        </p>
      )}
      {!live && <LifeSaying record={record} />}
    </>
  );
}

function lostWords({ bytes, why }: { bytes: number; why: "too-much" | "restarted" | "ended" }): string {
  const what = `${byteCount(bytes)} that you typed could not be delivered`;
  switch (why) {
    case "too-much":
      return `${what}: too much is waiting already`;
    case "restarted":
      return `${what}: the terminal was restarted meanwhile`;
    case "ended":
      return `${what}: the program has ended`;
    default:
      return why satisfies never;
  }
}

function LifeSaying({ record }: { record: TerminalRecord }): JSX.Element | null {
  const { words } = markOf(record);
  switch (record.life) {
    case "active":
      return null;
    case "exited":
      return (
        <p className="saying strong">
          {words}
          <button type="button" onClick={() => void closeTerminal(record)}>
            Close
          </button>
        </p>
      );
    case "parked":
      return (
        <p className="saying strong">
          {words}: its process is gone, its screen is kept
          <button type="button" onClick={() => void wakeTerminals([record.id])}>
            Restore
          </button>
        </p>
      );
    case "sleeping":
      return (
        <p className="saying strong">
          {words}
          <button type="button" onClick={() => void wakeTerminals([record.id])}>
            Wake
          </button>
        </p>
      );
    default:
      return record.life satisfies never;
  }
}

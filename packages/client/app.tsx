// The shell of the page: chrome bar, what is wrong, what waits for restore, dock, canvas.
import { type JSX, lazy, Suspense } from "react";
import "./app.css";
import { BannerBar } from "./banner/banner.tsx";
import { Canvas } from "./canvas/canvas.tsx";
import { newTerminal } from "./canvas/new-terminal.ts";
import { NoticeList } from "./canvas/notice-list.tsx";
import { ChromeBar } from "./chrome-bar.tsx";
import { Dock } from "./dock/dock.tsx";
import { useActions } from "./keys/actions.ts";
import { Caps } from "./keys/caps.tsx";
import { KeyBar } from "./keys/key-bar.tsx";
import { LiveRegion } from "./marks/live-region.tsx";
import { useNarrow, useTouch } from "./narrow.ts";
import { Overlays } from "./overlays.tsx";
import { PanelSlot } from "./panel/panel-slot.tsx";
import { RestoreStrip } from "./restore/restore-strip.tsx";
import { useUi } from "./store/ui.ts";
import { useWorkspace } from "./store/workspace.ts";
import "./touch/touch.css";

const LaunchForm = lazy(() => import("./launch/launch-form.tsx"));

export function App(): JSX.Element {
  const narrow = useNarrow();
  const touch = useTouch();
  const narrowView = useUi((ui) => ui.narrowView);
  const empty = useWorkspace(({ told, records }) => told.records && records.size === 0);
  const listShown = !empty && (!narrow || narrowView === "list");
  const canvasShown = empty || !narrow || narrowView === "terminal";
  return (
    <div className="app" data-narrow={narrow || undefined} data-view={narrow ? narrowView : undefined}>
      <ChromeBar />
      <BannerBar />
      <RestoreStrip />
      <div className="app-body">
        {listShown && <Dock />}
        <main className="canvas-slot" hidden={!canvasShown}>
          <Canvas />
          {empty && <Empty />}
        </main>
        <PanelSlot />
      </div>
      {(narrow ? narrowView === "terminal" : touch) && <KeyBar />}
      <Overlays />
      <NoticeList />
      <LiveRegion />
    </div>
  );
}

/** What the canvas says when there is nothing on it: where the first terminal is made. */
function Empty(): JSX.Element {
  const action = useActions((registry) => registry.actions.find(({ id }) => id === "terminal.new"));
  return (
    <section className="empty">
      <h1>No terminals yet</h1>
      <p>Start an agent in one: kolu sees it by itself, and says here when it needs you.</p>
      <div className="empty-launch">
        <Suspense>
          <LaunchForm wish={NO_WISH} />
        </Suspense>
      </div>
      <button type="button" className="quiet-button" onClick={() => void newTerminal()}>
        or a plain shell at home {action && <Caps action={action} />}
      </button>
    </section>
  );
}

const NO_WISH = {};

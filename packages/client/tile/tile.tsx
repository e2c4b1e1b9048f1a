// One tile: title bar, screen, and tabs where it has splits. Drawn the same on the canvas and maximised.
import type { Layout, TerminalRecord } from "@kolu/contract/terminal.ts";
import type { CSSProperties, JSX, MouseEvent } from "react";
import { attentionOf, markOf } from "../marks/mark-of.ts";
import { nameOf } from "../marks/name-of.ts";
import { togglePanel } from "../panel/panel-store.ts";
import { useUi } from "../store/ui.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { activate, splitTerminal, toggleMaximised } from "./actions.ts";
import { anatomyOf } from "./anatomy.ts";
import { Body } from "./body.tsx";
import { answerClose, askToClose, useAsked } from "./close.ts";
import { CloseQuestion } from "./close-question.tsx";
import { hueOf } from "./colour.ts";
import { NetScale } from "./net-scale.tsx";
import { takePicture } from "./picture.ts";
import { Question } from "./question.tsx";
import { answerSleep, sleepTerminal, useSleepAsked } from "./sleeping.ts";
import { TabStrip } from "./tab-strip.tsx";
import { shownIn, useTabs } from "./tabs-store.ts";
import { TitleBar } from "./title-bar.tsx";
import "./tile.css";

export interface TileProps {
  root: TerminalRecord;
  splits: readonly TerminalRecord[];
  /** Its place in canvas pixels, or on the screen when maximised. */
  box: Layout;
  zoom: number;
  maximised: boolean;
}

export function Tile({ root, splits, box, zoom, maximised }: TileProps): JSX.Element {
  const shown = useShown(root, splits);
  const active = useUi((ui) => ui.activeId === shown.id);
  const { title, body, tabs } = anatomyOf(box, splits.length > 0);
  const sleepAsked = useSleepAsked((state) => (state.asked?.id === shown.id ? state.asked : null));
  const origin = { x: box.x, y: box.y };
  const askedId = useAsked((state) => state.askedId);
  const asked = [root, ...splits].find(({ id }) => id === askedId);
  const keepKeyboard = (event: MouseEvent): void => {
    // A press on the bar must not take the keyboard from the terminal, which would be told so. Captured: whoever drags
    // the tile ends the event.
    event.preventDefault();
    activate(shown.id);
  };
  return (
    <article
      className="tile"
      aria-label={`Terminal ${shown.title ?? shown.cwd}`}
      data-terminal={shown.id}
      data-active={active || undefined}
      data-maximised={maximised || undefined}
      data-splits={tabs !== null || undefined}
      {...attentionAttributes([root, ...splits])}
      style={{ "--tile-hue": hueOf(root.git?.name ?? root.cwd) } as CSSProperties}
    >
      <NetScale part={title} origin={origin} zoom={zoom} className="tile-title">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: every action of the bar is also a button or a chord */}
        <div
          className="tile-bar"
          onMouseDownCapture={keepKeyboard}
          onDoubleClick={() => toggleMaximised(root.id)}
        >
          <TitleBar
            record={shown}
            maximised={maximised}
            onSplit={() => splitTerminal(shown)}
            onMaximise={() => toggleMaximised(root.id)}
            onSearch={() => sessionOf(shown.id).startSearch()}
            onSleep={() => void sleepTerminal(shown)}
            onScreenshot={() => void takePicture(shown)}
            onDetails={() => togglePanel("inspector")}
            onClose={() => askToClose(shown)}
          />
        </div>
      </NetScale>
      <NetScale part={body} origin={origin} zoom={zoom} className="tile-body nodrag nopan nowheel">
        <Body key={shown.id} record={shown} box={body} zoom={zoom} />
        {sleepAsked && (
          <Question
            title={`Put ${nameOf(shown)} to sleep?`}
            text={sleepAsked.sentence}
            keep="Leave it awake"
            act="Put it to sleep"
            onKeep={() => answerSleep(shown, false)}
            onAct={() => answerSleep(shown, true)}
          />
        )}
        {asked && (
          <CloseQuestion
            record={asked}
            onCancel={() => answerClose(asked, null)}
            onClose={(removal) => answerClose(asked, { removal })}
          />
        )}
      </NetScale>
      {tabs && (
        <NetScale part={tabs} origin={origin} zoom={zoom} className="tile-tabs nodrag">
          <TabStrip
            terminals={[root, ...splits]}
            shownId={shown.id}
            onShow={(record) => activate(record.id)}
            onSplit={() => splitTerminal(shown)}
            onClose={askToClose}
          />
        </NetScale>
      )}
    </article>
  );
}

function useShown(root: TerminalRecord, splits: readonly TerminalRecord[]): TerminalRecord {
  const id = useTabs(({ shown }) =>
    shownIn(root.id, shown, (wanted) => splits.some((split) => split.id === wanted)),
  );
  return splits.find((split) => split.id === id) ?? root;
}

/** The tile asks for attention, or shows motion, when any of its terminals does. */
function attentionAttributes(records: readonly TerminalRecord[]): Record<string, string | undefined> {
  const marks = records.map(markOf);
  const wanted = marks.map(attentionOf);
  const working = marks.some(
    ({ kind }) => kind === "thinking" || kind === "tool_use" || kind === "background",
  );
  const attention = wanted.includes("needs-you")
    ? "needs-you"
    : wanted.includes("not-seen")
      ? "not-seen"
      : undefined;
  return { "data-attention": attention, "data-working": working ? "" : undefined };
}

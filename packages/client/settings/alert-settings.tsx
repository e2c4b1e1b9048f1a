// What a person is told of, and by which means; when not; and whether this browser may.
import type { AlertKind, AlertMeans } from "@kolu/contract/preferences.ts";
import { type JSX, useState } from "react";
import { askToNotify } from "../marks/notify.ts";
import { play } from "../marks/sound.ts";
import { useWorkspace } from "../store/workspace.ts";
import { Setting } from "./choice.tsx";
import { minuteOfTime, timeOfMinute } from "./clock.ts";
import { prefer } from "./prefer.ts";

const KINDS: readonly [kind: AlertKind, words: string][] = [
  ["needs-you", "An agent needs you"],
  ["finished", "An agent has finished"],
  ["error", "An agent stopped with an error"],
  ["program", "A program rings or notifies"],
];
const MEANS: readonly [means: keyof AlertMeans, words: string][] = [
  ["sound", "Sound"],
  ["notification", "Notification"],
  ["badge", "Badge"],
];
/** A bell is over when it has rung: there is nothing that could be counted. */
const hasMeans = (kind: AlertKind, means: keyof AlertMeans): boolean =>
  !(kind === "program" && means === "badge");

export function AlertSettings(): JSX.Element {
  return (
    <>
      <Permission />
      <Kinds />
      <Quiet />
      <p className="settings-foot">
        Once an episode, and not for a terminal that somebody looks at, on any device. The badge is the count
        on the tab's title and icon, and on the icon of an installed page.
      </p>
    </>
  );
}

/** The browser's own question comes at the click and never before. */
function Permission(): JSX.Element {
  const [permission, setPermission] = useState(() =>
    "Notification" in window ? Notification.permission : "unsupported",
  );
  const words = {
    granted: "This browser shows notifications.",
    denied:
      "This browser was told not to show notifications of this page: its settings for this site change that.",
    default: "This browser has not been asked yet whether it may show notifications.",
    unsupported:
      "This browser shows notifications only of pages that are served safely, by https or on this machine.",
  }[permission];
  return (
    <Setting label="In this browser" note={words}>
      {permission === "default" && (
        <button
          type="button"
          className="primary"
          onClick={() => void askToNotify().then(() => setPermission(Notification.permission))}
        >
          Allow notifications
        </button>
      )}
    </Setting>
  );
}

function Kinds(): JSX.Element {
  const alerts = useWorkspace(({ preferences }) => preferences.alerts);
  const set = (kind: AlertKind, means: keyof AlertMeans, on: boolean): void => {
    prefer({ alerts: { ...alerts, [kind]: { ...alerts[kind], [means]: on } } });
    if (means === "sound" && on) play(kind); // So that one knows what it will be.
  };
  return (
    <table className="alerts">
      <thead>
        <tr>
          <th scope="col">When</th>
          {MEANS.map(([means, words]) => (
            <th key={means} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {KINDS.map(([kind, words]) => (
          <tr key={kind}>
            <th scope="row">{words}</th>
            {MEANS.map(([means, by]) => (
              <td key={means}>
                {hasMeans(kind, means) && (
                  <input
                    type="checkbox"
                    aria-label={`${words}: ${by}`}
                    checked={alerts[kind][means]}
                    onChange={(event) => set(kind, means, event.target.checked)}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const FIRST_QUIET = { fromMinute: 22 * 60, toMinute: 8 * 60 };

function Quiet(): JSX.Element {
  const hours = useWorkspace(({ preferences }) => preferences.quietHours);
  const time = (label: string, part: "fromMinute" | "toMinute"): JSX.Element | null =>
    hours && (
      <input
        type="time"
        aria-label={label}
        value={timeOfMinute(hours[part])}
        onChange={(event) => {
          const minute = minuteOfTime(event.target.value);
          if (minute !== null) prefer({ quietHours: { ...hours, [part]: minute } });
        }}
      />
    );
  return (
    <Setting label="Quiet hours" note="No sound and no notification; the badge goes on counting.">
      <label className="check">
        <input
          type="checkbox"
          checked={hours !== null}
          onChange={(event) => prefer({ quietHours: event.target.checked ? FIRST_QUIET : null })}
        />
        {hours === null ? "None" : "From"}
      </label>
      {time("Quiet from", "fromMinute")}
      {hours && <span>to</span>}
      {time("Quiet until", "toMinute")}
    </Setting>
  );
}

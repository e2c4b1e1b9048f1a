// Scheme, size of text, themes of new terminals, and what happens after a crash.
import type { NewTheme } from "@kolu/contract/preferences.ts";
import { type JSX, useEffect } from "react";
import { sayFailure } from "../canvas/notices.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { FONT_MAX_PX, FONT_MIN_PX } from "../terminal/fonts.ts";
import { fetchThemes, useThemes } from "../theme/terminal-themes.ts";
import { Choice, Setting } from "./choice.tsx";
import { prefer } from "./prefer.ts";

const FIRST_FIXED = "Kolu Night";

export function Appearance(): JSX.Element {
  const { scheme, fontPx, restore, newTheme } = useWorkspace((workspace) => workspace.preferences);
  return (
    <>
      <Setting label="Scheme" note="Of the page, and of terminals without a theme of their own.">
        <Choice
          label="Scheme"
          options={[
            ["dark", "Dark"],
            ["light", "Light"],
            ["system", "System"],
          ]}
          value={scheme}
          onPick={(picked) => prefer({ scheme: picked })}
        />
      </Setting>
      <Setting label="Text in terminals" note="A terminal can have a size of its own beside it.">
        <FontSize px={fontPx} />
      </Setting>
      <Setting
        label="Theme of new terminals"
        note="Also of those that an agent or a shell makes. The others keep theirs."
      >
        <Choice
          label="Theme of new terminals"
          options={[
            ["page", "As the page"],
            ["fixed", "One"],
            ["inherit", "Inherit"],
            ["shuffle", "Shuffle"],
          ]}
          value={newTheme.kind}
          onPick={(kind) =>
            prefer({ newTheme: kind === "fixed" ? { kind, themeName: FIRST_FIXED } : { kind } })
          }
        />
        <PolicyWords policy={newTheme} />
      </Setting>
      <Setting
        label="After a crash"
        note="When the daemon that holds the terminals, or the machine, went down."
      >
        <Choice
          label="After a crash"
          options={[
            ["ask", "Ask me"],
            ["auto", "Restore by itself"],
          ]}
          value={restore}
          onPick={(picked) => prefer({ restore: picked })}
        />
      </Setting>
    </>
  );
}

function FontSize({ px }: { px: number }): JSX.Element {
  const set = (next: number): void => {
    if (next >= FONT_MIN_PX && next <= FONT_MAX_PX) prefer({ fontPx: next });
  };
  return (
    <div className="stepper">
      <button
        type="button"
        aria-label="Smaller text"
        disabled={px <= FONT_MIN_PX}
        onClick={() => set(px - 1)}
      >
        −
      </button>
      <output>{px} px</output>
      <button type="button" aria-label="Larger text" disabled={px >= FONT_MAX_PX} onClick={() => set(px + 1)}>
        +
      </button>
    </div>
  );
}

function PolicyWords({ policy }: { policy: NewTheme }): JSX.Element {
  switch (policy.kind) {
    case "page":
      return <p>They go dark and light with the page.</p>;
    case "inherit":
      return (
        <p>
          That of the terminal they are made from: the parent, the active one, or the one the caller is in.
        </p>
      );
    case "shuffle":
      return <p>A calm one that looks unlike those of the terminals you have.</p>;
    case "fixed":
      return <ThemeSelect name={policy.themeName} />;
    default:
      return policy satisfies never;
  }
}

/** By name; trying on is what a terminal's own list is for. */
function ThemeSelect({ name }: { name: string }): JSX.Element {
  const themes = useThemes((state) => state.themes);
  const activeId = useUi((ui) => ui.activeId);
  const worn = useWorkspace(({ records }) => records.get(activeId ?? "")?.themeName ?? null);
  useEffect(() => {
    fetchThemes().catch(sayFailure("The themes could not be loaded"));
  }, []);
  const pick = (themeName: string): void => prefer({ newTheme: { kind: "fixed", themeName } });
  return (
    <>
      <select
        aria-label="The theme of new terminals"
        value={name}
        onChange={(event) => pick(event.target.value)}
      >
        {/* Until the others are there, and when it is one that this version has not. */}
        {!themes.some((theme) => theme.name === name) && <option>{name}</option>}
        {(["dark", "light"] as const).map((family) => (
          <optgroup key={family} label={family === "dark" ? "Dark" : "Light"}>
            {themes
              .filter((theme) => theme.family === family)
              .map((theme) => (
                <option key={theme.name}>{theme.name}</option>
              ))}
          </optgroup>
        ))}
      </select>
      {worn !== null && worn !== name && (
        <button type="button" className="quiet" onClick={() => pick(worn)}>
          Take the active terminal's: {worn}
        </button>
      )}
    </>
  );
}

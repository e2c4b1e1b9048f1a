// All themes in a list beside the terminal: what is chosen in the list is worn by the real terminal at once. Enter takes it,
// Escape puts the old one back.
import type { PageScheme, TerminalScheme } from "@kolu/contract/terminal-schemes.ts";
import { Command } from "cmdk";
import { type JSX, useEffect, useRef, useState } from "react";
import { sayFailure } from "../canvas/notices.ts";
import { Sheet } from "../keys/sheet.tsx";
import { nameOf } from "../marks/name-of.ts";
import { useUi } from "../store/ui.ts";
import { useWorkspace } from "../store/workspace.ts";
import { sessionOf } from "../terminal/sessions.ts";
import { usePageScheme } from "./scheme.ts";
import { fetchThemes, useThemes } from "./terminal-themes.ts";
import { putBack, takeTheme, tryOn } from "./theme-changes.ts";
import "./theme-picker.css";

/** The list's word for "no theme of its own"; a theme cannot be called so. */
const AS_PAGE = ":page";
const wordFor = (themeName: string | null): string => themeName ?? AS_PAGE;
const themeOf = (value: string): string | null => (value === AS_PAGE ? null : value);

export default function ThemePicker(): JSX.Element | null {
  // The terminal that it was opened for, whatever becomes active meanwhile.
  const [id] = useState(() => useUi.getState().activeId);
  const record = useWorkspace(({ records }) => records.get(id ?? ""));
  const setOverlay = useUi((ui) => ui.setOverlay);
  const [value, setValue] = useState(() => wordFor(record?.themeName ?? null));
  const [placing] = useState(() => sideBeside(id));
  const themes = useThemes((state) => state.themes);
  const taken = useRef(false);
  useEffect(() => {
    fetchThemes().catch(sayFailure("The themes could not be loaded"));
  }, []);
  // However the list goes away, only what was taken stays.
  useEffect(
    () => () => {
      if (!taken.current) putBack();
    },
    [],
  );
  useEffect(() => {
    if (!record) setOverlay(null); // The terminal went away under the list.
  }, [record, setOverlay]);
  if (!record) return null;
  const end = (): void => {
    setOverlay(null);
    sessionOf(record.id).focus();
  };
  const item = (theme: TerminalScheme | null): JSX.Element => (
    <Command.Item
      key={theme?.name ?? AS_PAGE}
      value={wordFor(theme?.name ?? null)}
      keywords={theme ? [theme.name] : ["as the page"]}
      onSelect={(chosen) => {
        taken.current = true;
        takeTheme(record.id, themeOf(chosen));
        end();
      }}
    >
      <Swatch theme={theme} />
      <span className="theme-name">{theme?.name ?? "As the page: dark or light"}</span>
      {(theme?.name ?? null) === record.themeName && <span className="theme-now">now</span>}
    </Command.Item>
  );
  return (
    <Sheet label={`Theme of ${nameOf(record)}`} placing={placing} onClose={end}>
      <Command
        className="palette theme-picker"
        label={`Theme of ${nameOf(record)}`}
        loop
        value={value}
        filter={matches}
        onValueChange={(next) => {
          setValue(next);
          tryOn(record.id, themeOf(next));
        }}
      >
        <Command.Input placeholder={`Theme of ${nameOf(record)}`} />
        <Command.List>
          <Command.Empty>No theme is called that.</Command.Empty>
          {item(null)}
          <Families themes={themes} item={item} />
        </Command.List>
      </Command>
    </Sheet>
  );
}

/** The side of the page that is the other one: first the family that goes with it, then the other. */
function Families({
  themes,
  item,
}: {
  themes: readonly TerminalScheme[];
  item(theme: TerminalScheme): JSX.Element;
}): JSX.Element {
  const order: PageScheme[] = usePageScheme() === "dark" ? ["dark", "light"] : ["light", "dark"];
  return (
    <>
      {order.map((family) => (
        <Command.Group key={family} heading={family === "dark" ? "Dark" : "Light"}>
          {themes.filter((theme) => theme.family === family).map(item)}
        </Command.Group>
      ))}
    </>
  );
}

/** Letters on the ground, and the six hues. */
function Swatch({ theme }: { theme: TerminalScheme | null }): JSX.Element {
  if (!theme) return <span className="theme-swatch" data-as-page="" aria-hidden="true" />;
  const { background, foreground, ansi } = theme.colors;
  return (
    <span className="theme-swatch" style={{ background, color: foreground }} aria-hidden="true">
      Aa
      {ansi.slice(1, 7).map((color, index) => (
        <i key={index} style={{ background: color }} />
      ))}
    </span>
  );
}

/** Each word of what is typed, anywhere in the name: fuzzy finding would bring half of three hundred names. */
function matches(value: string, search: string, keywords: string[] = []): number {
  const name = (keywords[0] ?? value).toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => name.includes(word))) return 0;
  return name.startsWith(words[0] ?? "") ? 1 : 0.5;
}

/** The list lies on the side where it hides less of the terminal. */
function sideBeside(id: string | null): "sheet-left" | "sheet-right" {
  const box =
    id === null ? null : document.querySelector(`.tile[data-terminal="${id}"]`)?.getBoundingClientRect();
  return box && box.left + box.width / 2 > window.innerWidth / 2 ? "sheet-left" : "sheet-right";
}

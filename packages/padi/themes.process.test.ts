// Which theme a new terminal takes, whoever makes it, and what a program in it is told of it.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { terminalScheme } from "@kolu/contract/terminal-schemes.ts";
import { loadThemes } from "@kolu/contract/theme-catalogue.ts";
import { expect, test } from "vitest";
import { startPadi, type TestPadi } from "./start-padi.ts";
import { isCalm, themeDistance } from "./terminals/new-theme.ts";

const isThere = (record: TerminalRecord | undefined): record is TerminalRecord => record !== undefined;

async function themeOf(padi: TestPadi, id: string): Promise<string | null> {
  return (await padi.until(id, isThere)).themeName;
}

/** The ground that a program is told of, as OSC 11 says it. */
async function toldGround(padi: TestPadi, program: string[]): Promise<string> {
  const id = await padi.create({ argv: program });
  const until = { kind: "match", pattern: "<.*>" } as const;
  const met = await padi.client.call("terminal.wait", { id, until, timeoutMs: 20_000 });
  return met.result === "met" ? (met.met.matchedLine ?? "") : met.result;
}
/** Asks with its very first byte, says what it was told, and stays. */
const ASKS = [
  "/bin/bash",
  "-c",
  "stty raw -echo; printf '\\033]11;?\\033\\\\'; read -rs -d '\\' -t 10 a; stty sane; echo \"<$(printf %s \"$a\" | tr -cd 0-9a-f:/)>\"; read",
];
const osc = (hex: string): string => [1, 3, 5].map((at) => hex.slice(at, at + 2).repeat(2)).join("/");

test("a fixed theme is that of every new terminal, and a program is told its colours from the start", async () => {
  await using padi = await startPadi();
  const before = await padi.create();
  await padi.client.call("preferences.set", { newTheme: { kind: "fixed", themeName: "Dracula" } });
  const after = await padi.create({ placement: { kind: "child-of", parentId: before } });
  expect(await themeOf(padi, after)).toBe("Dracula");
  expect(await themeOf(padi, before)).toBeNull();
  const { background } = terminalScheme("Dracula", "dark", await loadThemes()).colors;
  expect(await toldGround(padi, ASKS)).toContain(osc(background));
});

test("an inherited theme is that of the parent, or of the terminal that the caller is in", async () => {
  await using padi = await startPadi();
  const origin = await padi.create();
  await padi.client.call("terminal.setTheme", { id: origin, themeName: "nord" });
  await padi.client.call("preferences.set", { newTheme: { kind: "inherit" } });
  const split = await padi.create({ placement: { kind: "child-of", parentId: origin } });
  const beside = await padi.create({ from: origin });
  const ofNobody = await padi.create({ from: "not a terminal" });
  expect([await themeOf(padi, split), await themeOf(padi, beside), await themeOf(padi, ofNobody)]).toEqual([
    "nord",
    "nord",
    null,
  ]);
});

test("shuffled themes are calm, of the page's side, and unlike each other even when made at once", async () => {
  await using padi = await startPadi();
  await padi.client.call("preferences.set", { newTheme: { kind: "shuffle" }, systemScheme: "light" });
  const ids = await Promise.all(Array.from({ length: 5 }, () => padi.create({ argv: ["/bin/sleep", "60"] })));
  const names = await Promise.all(ids.map((id) => themeOf(padi, id)));
  const themes = await loadThemes();
  const shown = names.map((name) => terminalScheme(name, "dark", themes));
  expect(shown.map((theme) => [theme.family, isCalm(theme)])).toEqual(Array(5).fill(["light", true]));
  for (const [at, theme] of shown.entries())
    for (const other of shown.slice(at + 1))
      expect([theme.name, other.name, themeDistance(theme, other) > 0.1]).toEqual([
        theme.name,
        other.name,
        true,
      ]);
});

test("what the page's system shows is what programs are told, as long as the page follows it", async () => {
  await using padi = await startPadi();
  await padi.client.call("preferences.set", { systemScheme: "light" });
  expect(await toldGround(padi, ASKS)).toContain("ffff/ffff/ffff");
  await padi.client.call("preferences.set", { scheme: "dark" });
  expect(await toldGround(padi, ASKS)).toContain("0e0e/0f0f/1212");
});

import { TERMINAL_SCHEMES } from "@kolu/contract/terminal-schemes.ts";
import { expect, test } from "vitest";
import { paletteOf } from "./palette.ts";
import { parseSpec, trackProgramColors } from "./program-colors.ts";

test("colours are read as programs write them, and a question is none", () => {
  expect(parseSpec("#fff")).toBe(0xffffff);
  expect(parseSpec("#204060")).toBe(0x204060);
  expect(parseSpec("rgb:20/40/60")).toBe(0x204060);
  expect(parseSpec("rgb:ffff/0000/8080")).toBe(0xff0080);
  expect(parseSpec("?")).toBeNull();
  expect(parseSpec("red")).toBeNull();
});

test("a program's own colours lie over the scheme's until it gives them back", () => {
  const handlers = new Map<number, (payload: string) => boolean>();
  const scheme = paletteOf(TERMINAL_SCHEMES[0]!.colors);
  const onOsc = (code: number, handler: (payload: string) => boolean) => void handlers.set(code, handler);
  const colors = trackProgramColors({ onOsc }, scheme, () => {});
  handlers.get(4)!("1;#123456;300;#ffffff");
  handlers.get(10)!("#111111;#222222");
  expect(colors.palette()).toMatchObject({ foreground: 0x111111, background: 0x222222 });
  expect(colors.palette().ansi[1]).toBe(0x123456);
  handlers.get(104)!("1");
  handlers.get(110)!("");
  expect(colors.palette().ansi[1]).toBe(scheme.ansi[1]);
  expect(colors.palette()).toMatchObject({ foreground: scheme.foreground, background: 0x222222 });
  colors.reset();
  expect(colors.palette()).toEqual(scheme);
});

import { expect, test } from "vitest";
import { createEngine, isGround, joinState } from "./engine.ts";

test("the emulator has the insides that we use", () => {
  const engine = createEngine({
    cols: 10,
    rows: 4,
    onFault(error) {
      throw error;
    },
  });
  const { core } = engine;
  engine.parse(Buffer.from("\x1b[2;3r\x1b[?6h\x1b7\x1b[1;4:3;58:5:9mé\x1b]8;;x\x07"));
  const { active } = core.buffers;
  expect([active.scrollTop, active.scrollBottom]).toEqual([1, 2]);
  expect([active.x, active.y, active.ybase, active.savedX]).toEqual([1, 1, 0, 0]);
  const line = active.lines.get(1)!;
  expect([...line._data.subarray(0, 1)]).toEqual([(1 << 22) | 0xe9]);
  expect(line._extendedAttrs[0]?._ext).toBe(0xe000009 | 0);
  expect(core._inputHandler._curAttrData.extended.urlId).toBeGreaterThan(0);
  expect(core._bufferService.onScroll).toBeTypeOf("function");
  expect(core._inputHandler._eraseInBufferLine).toBeTypeOf("function");
  expect(core._inputHandler._resetBufferLine).toBeTypeOf("function");
  expect(core._charsetService.glevel).toBe(0);
  expect(core.coreMouseService.activeEncoding).toBe("DEFAULT");
  expect(core.coreService.isCursorHidden).toBe(false);
  expect(core.optionsService.rawOptions.scrollback).toBeTypeOf("number");
  let trimmed = 0;
  core.buffers.normal.lines.onTrim((count) => {
    trimmed += count;
  });
  engine.parse(Buffer.from("\x1b[r\n\n\n\n\n\n\x1b[3J\x1b]0;half"));
  expect(trimmed).toBeGreaterThan(0);
  expect(isGround(engine)).toBe(false);
  expect(joinState(engine, 0x301, joinState(engine, 0x65, 0).state).joins).toBe(true);
  expect(joinState(engine, 0x6f22, 0).widthCols).toBe(2);
});

test("an error of the emulator costs a piece of output, not the screen", () => {
  const faults: unknown[] = [];
  const engine = createEngine({ cols: 10, rows: 4, onFault: (error) => faults.push(error) });
  engine.terminal.parser.registerCsiHandler({ final: "z" }, () => {
    throw new Error("broken");
  });
  engine.parse(Buffer.from("before\x1b[z lost"));
  engine.parse(Buffer.from("\r\nafter"));
  expect(faults.length).toBe(1);
  expect(engine.core.buffers.active.lines.get(0)!.translateToString(true)).toBe("before");
  expect(engine.core.buffers.active.lines.get(1)!.translateToString(true)).toBe("after");
});

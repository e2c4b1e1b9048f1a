import { expect, test } from "vitest";
import { cellBoxOf, rowSpan } from "./cell-box.ts";

const drawing = { fontPx: 14, lineHeight: 1, advancePx: 8.4, ascentPx: 14.28, descentPx: 4.2, ratio: 1 };

test("cells lie where the live renderer lays them: whole rows, columns between pixels", () => {
  const box = cellBoxOf({ cols: 80, rows: 24 }, drawing);
  expect(box).toMatchObject({ heightPx: 19, baselinePx: 14, canvas: { w: 672, h: 456 } });
  expect(box.widthPx).toBeCloseTo(8.4, 1);
});

test("at two device pixels each, everything is twice as large", () => {
  const box = cellBoxOf({ cols: 80, rows: 24 }, { ...drawing, ratio: 2 });
  expect(box).toMatchObject({ fontPx: 28, canvas: { w: 1344, h: 888 } });
});

test("rows share the canvas without a gap or an overlap", () => {
  const box = cellBoxOf({ cols: 80, rows: 7 }, { ...drawing, ratio: 1.25 });
  let end = 0;
  for (let row = 0; row < 7; row++) {
    const { top, height } = rowSpan(box, row);
    expect(top).toBe(end);
    end = top + height;
  }
  expect(end).toBe(box.canvas.h);
});

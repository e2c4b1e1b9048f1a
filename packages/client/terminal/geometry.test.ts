import fc from "fast-check";
import { expect, test } from "vitest";
import { counterTransform, fitGrid, gridFor, PADDING_PX } from "./geometry.ts";

/** As xterm's renderer lays out JetBrains Mono: exact widths, heights in whole pixels. */
const measure = (fontPx: number) => ({ widthPx: fontPx * 0.6, heightPx: Math.ceil(fontPx * 1.32) });

test("a grid chosen at 100 % fits its box at every zoom, with the font near the zoom", () => {
  const side = fc.integer({ min: 200, max: 2400 });
  fc.assert(
    fc.property(
      side,
      side,
      fc.integer({ min: 8, max: 24 }),
      fc.double({ min: 0.4, max: 2, noNaN: true }),
      (w, h, fontPx, zoom) => {
        const box = { w, h };
        const grid = gridFor(box, measure(fontPx));
        const fit = fitGrid({ grid, box, fontPx, zoom, measure });
        expect(fit.width).toBeLessThanOrEqual((w - 2 * PADDING_PX) * zoom + 1e-3);
        expect(fit.height).toBeLessThanOrEqual((h - 2 * PADDING_PX) * zoom + 1e-3);
        expect(fit.fontPx).toBeLessThanOrEqual(fontPx * zoom + 1e-9);
        expect(fit.fontPx).toBeGreaterThan(fontPx * zoom - 1);
        expect(fit.lineHeight).toBeGreaterThanOrEqual(1);
        expect(fit.letterboxed).toBe(false);
      },
    ),
  );
});

test("at 100 % the person's font is used as it is", () => {
  const box = { w: 768, h: 500 };
  const grid = gridFor(box, measure(14));
  expect(fitGrid({ grid, box, fontPx: 14, zoom: 1, measure })).toMatchObject({
    fontPx: 14,
    lineHeight: 1,
    left: PADDING_PX,
    top: PADDING_PX,
    letterboxed: false,
  });
});

test("a grid larger than the box is drawn smaller, whole; a smaller one in the middle", () => {
  const box = { w: 500, h: 400 };
  const large = fitGrid({ grid: { cols: 200, rows: 60 }, box, fontPx: 14, zoom: 1, measure });
  expect(large.width).toBeLessThanOrEqual(500 - 2 * PADDING_PX + 1e-6);
  expect(large.height).toBeLessThanOrEqual(400 - 2 * PADDING_PX);
  expect(large.fontPx).toBeGreaterThan(3.5);
  const small = fitGrid({ grid: { cols: 20, rows: 5 }, box, fontPx: 14, zoom: 1, measure });
  expect(small).toMatchObject({ fontPx: 14, letterboxed: true, left: 166 });
});

test("a grid that is too wide for its box keeps the shape of its cells", () => {
  const box = { w: 390, h: 700 };
  const { fontPx, height } = fitGrid({ grid: { cols: 87, rows: 25 }, box, fontPx: 14, zoom: 1, measure });
  expect(height / 25).toBeLessThan(measure(fontPx).heightPx + 1);
});

test("the host of a terminal is net unscaled and begins on a whole pixel", () => {
  expect(counterTransform({ left: 24, top: 48 }, 1)).toBe("translate(0px, 0px) scale(1)");
  const [, dx, scale] = /^translate\((.*)px, .*scale\((.*)\)$/.exec(
    counterTransform({ left: 7, top: 7 }, 0.37),
  )!;
  expect(Number(scale) * 0.37).toBeCloseTo(1, 12);
  expect((7 + Number(dx)) * 0.37).toBeCloseTo(Math.round(7 * 0.37), 9);
});

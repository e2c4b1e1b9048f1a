import { expect, test } from "vitest";
import { PANEL_FIRST_PX, PANEL_MAX_PX, PANEL_MIN_PX, parsePanel } from "./panel-store.ts";

const cases: Record<string, [text: string | null, panel: ReturnType<typeof parsePanel>]> = {
  "a first visit: closed": [null, { open: false, tab: "inspector", widthPx: PANEL_FIRST_PX }],
  "what was left": ['{"open":true,"tab":"code","widthPx":600}', { open: true, tab: "code", widthPx: 600 }],
  "a width of another screen is brought back": [
    '{"open":true,"tab":"code","widthPx":9000}',
    { open: true, tab: "code", widthPx: PANEL_MAX_PX },
  ],
  "too narrow to read": ['{"widthPx":3}', { open: false, tab: "inspector", widthPx: PANEL_MIN_PX }],
  "a tab that does not exist": [
    '{"open":true,"tab":"x"}',
    { open: true, tab: "inspector", widthPx: PANEL_FIRST_PX },
  ],
  "no JSON": ["{", { open: false, tab: "inspector", widthPx: PANEL_FIRST_PX }],
};

test.each(Object.entries(cases))("%s", (_name, [text, panel]) => {
  expect(parsePanel(text)).toEqual(panel);
});

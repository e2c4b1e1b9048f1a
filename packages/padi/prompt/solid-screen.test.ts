import { expect, test } from "vitest";
import { isGhost } from "./solid-screen.ts";

const composer = (draft: string) => ({ draft, folded: false });

const cases: Record<string, [shown: string, solid: string | null, ghost: boolean]> = {
  "a suggestion, its cursor on the first letter": ["run the tests", "r", true],
  "a suggestion without a cursor": ["run the tests", "", true],
  "a draft": ["run the tests", "run the tests", false],
  "a draft of one letter": ["r", "r", false],
  "a draft with a hint behind it": ["/com pact the conversation", "/com", false],
  "a composer that cannot be found again": ["run", null, false],
};

test.each(Object.entries(cases))("%s", (_title, [shown, solid, ghost]) => {
  expect(isGhost(composer(shown), solid === null ? null : composer(solid))).toBe(ghost);
});

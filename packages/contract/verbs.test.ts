import { expect, test } from "vitest";
import { verbs } from "./verbs.ts";

const create = verbs.find(({ name }) => name === "lifecycle_create")!;

test("a terminal that an agent makes is made from the one that the agent is in, whatever its input says", () => {
  const input = create.input.parse({
    placement: { kind: "toplevel" },
    from: "another",
    themeName: "Dracula",
  });
  const made = (terminalId: string | null): unknown => create.toParams(input as never, { terminalId });
  expect(made("t-1")).toEqual({ placement: { kind: "toplevel" }, from: "t-1" });
  expect(made(null)).toEqual({ placement: { kind: "toplevel" } });
});

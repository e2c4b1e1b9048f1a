// Answers to what terminals ask, with a program that says in band that it asks.
import { expect, test } from "vitest";
import { startPadi } from "../start-padi.ts";

const report = (words: string): string => `printf '\\033]7501;state=${words}\\007'`;
/** Asks for a name, then for a letter, and says what it got. */
const ASKER = `#!/bin/bash
${report("blocked:kind=name")}
read -r name
echo "name is $name"
sleep 0.3
${report("blocked:kind=letter")}
read -rsn1 letter
echo "letter is $letter"
${report("working")}
read -r rest
echo "rest is $rest"
sleep 1000
`;

test("a text is submitted, a key is not followed by Enter, and what asks nothing is refused", async () => {
  await using padi = await startPadi({ files: { asker: ASKER } });
  const id = await padi.create({ cwd: padi.home, run: "bash ./asker" });
  await padi.until(id, (one) => one?.program?.state === "blocked");
  const named = await padi.client.call("terminal.answer", { id, text: "Ada" });
  expect(named).toMatchObject({ id, entered: true });
  expect(await padi.screen(id)).toContain("name is Ada");
  await padi.until(id, (one) => one?.program?.state === "blocked" && one.program.kind === "letter");
  expect(await padi.client.call("terminal.answer", { id, key: "2" })).toEqual({
    id,
    outcome: "answered",
    entered: false,
  });
  await padi.client.call("terminal.wait", { id, until: { kind: "match", pattern: "^letter is 2$" } });
  // An Enter too many would have ended its last question already.
  expect(await padi.screen(id)).not.toContain("rest is");
  await expect(padi.client.call("terminal.answer", { id, text: "more" })).rejects.toMatchObject({
    kind: "nothing-asked",
  });
});

test("a text whose first letter answers is not followed by Enter", async () => {
  const file = `#!/bin/bash\n${report("blocked")}\nread -rsn1 a\n${report("working")}\nread -r b\necho "then $b."\nsleep 1000\n`;
  await using padi = await startPadi({ files: { asker: file } });
  const id = await padi.create({ cwd: padi.home, run: "bash ./asker" });
  await padi.until(id, (one) => one?.program?.state === "blocked");
  expect(await padi.client.call("terminal.answer", { id, text: "y" })).toMatchObject({
    outcome: "answered",
    entered: false,
  });
  expect(await padi.screen(id)).not.toContain("then");
});

test("a question that stands unmoved is said to", async () => {
  const file = `#!/bin/bash\n${report("blocked")}\nstty -echo\nwhile :; do read -r x; done\n`;
  await using padi = await startPadi({ files: { asker: file } });
  const id = await padi.create({ cwd: padi.home, run: "bash ./asker" });
  await padi.until(id, (one) => one?.program?.state === "blocked");
  expect(await padi.client.call("terminal.answer", { id, text: "hello" })).toEqual({
    id,
    outcome: "still-asks",
    entered: true,
  });
});

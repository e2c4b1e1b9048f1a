import { expect, test } from "vitest";
import { encodeInput, type InputRequest, typedLine } from "./input.ts";

const cases: Record<string, [InputRequest, { bytes: string; sent: object } | string]> = {
  "one line is typed as it is": [
    { text: "ls -l" },
    { bytes: "ls -l", sent: { textBytes: 5, pasted: false } },
  ],
  "several lines go as one paste, whose marks count": [
    { text: "a\nb" },
    { bytes: "\x1b[200~a\nb\x1b[201~", sent: { textBytes: 15, pasted: true } },
  ],
  "the caller decides about pasting": [
    { text: "a\nb", paste: false },
    { bytes: "a\nb", sent: { textBytes: 3, pasted: false } },
  ],
  "bytes are counted as they are written": [
    { text: "語" },
    { bytes: "語", sent: { textBytes: 3, pasted: false } },
  ],
  "an end mark inside the text cannot end the paste": [
    { text: "a\n\x1b[201~rm" },
    { bytes: "\x1b[200~a\nrm\x1b[201~", sent: { textBytes: 16, pasted: true } },
  ],
  "a key is its bytes": [{ key: "Enter" }, { bytes: "\r", sent: { key: "Enter" } }],
  "a chord is one too": [{ key: "C-c" }, { bytes: "\x03", sent: { key: "C-c" } }],
  "text and key are refused": [{ text: "a", key: "Enter" }, "text-and-key"],
  "an unknown key is refused, never typed as letters": [{ key: "Foo" }, "key-refused"],
  "a name of every object is no key": [{ key: "constructor" }, "key-refused"],
  "empty text is refused": [{ text: "" }, "text-refused"],
  "nothing is refused": [{}, "no-input"],
};

for (const [title, [request, expected]] of Object.entries(cases)) {
  test(title, () => {
    if (typeof expected !== "string") expect(encodeInput(request)).toEqual(expected);
    else expect(() => encodeInput(request)).toThrow(expect.objectContaining({ kind: expected }));
  });
}

test("every line of a first command is submitted", () => {
  expect(typedLine("make")).toBe("make\r");
  expect(typedLine("cd /x\r\nmake\nls")).toBe("cd /x\rmake\rls\r");
});

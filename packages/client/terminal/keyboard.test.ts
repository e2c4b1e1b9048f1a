import { expect, test } from "vitest";
import { parseClipboardOffer } from "./clipboard.ts";
import { type KeyMeaning, meaningOf } from "./keyboard.ts";
import { openableUrl } from "./links.ts";

const newline: KeyMeaning = { kind: "bytes", text: "\x1b\r" };
const program: KeyMeaning = { kind: "program" };

const chords: Record<string, [linux: object, mac: object]> = {
  Enter: [program, program],
  "Shift+Enter": [newline, newline],
  "Alt+Enter": [newline, newline],
  "Ctrl+Enter": [newline, newline],
  "Ctrl+Shift+C": [{ kind: "copy" }, program],
  "Ctrl+Shift+V": [{ kind: "browser" }, program],
  "Ctrl+Shift+A": [program, program],
  "Meta+c": [program, { kind: "browser" }],
  "Meta+v": [program, { kind: "browser" }],
  "Ctrl+c": [program, program],
  "Ctrl+d": [program, program],
  "Ctrl+k": [program, program],
  "Ctrl+r": [program, program],
  "Ctrl+t": [program, program],
  "Ctrl+f": [program, program],
  "Ctrl+z": [program, program],
};

for (const [chord, [linux, mac]] of Object.entries(chords)) {
  test(`${chord} means the right thing on both keyboards`, () => {
    const parts = chord.split("+");
    const key = parts.at(-1)!;
    const press = {
      key,
      ctrl: parts.includes("Ctrl"),
      shift: parts.includes("Shift"),
      alt: parts.includes("Alt"),
      meta: parts.includes("Meta"),
    };
    expect([meaningOf(press, false), meaningOf(press, true)]).toEqual([linux, mac]);
  });
}

const links: Record<string, string | null> = {
  "https://example.com/a?b#c": "https://example.com/a?b#c",
  "http://127.0.0.1:3000": "http://127.0.0.1:3000/",
  "javascript:alert(1)": null,
  "file:///etc/passwd": null,
  "data:text/html,x": null,
  "vscode://open": null,
  "not a link": null,
};

for (const [text, url] of Object.entries(links)) {
  test(`${text} ${url ? "opens" : "does not open"}`, () => expect(openableUrl(text)).toBe(url));
}

const offers: Record<string, [payload: string, text: string | null]> = {
  "text is offered": [`c;${btoa("hello")}`, "hello"],
  "text beyond ASCII is offered whole": ["c;6Kqe", "語"],
  "a read is never answered": ["c;?", null],
  "an empty offer is none": ["c;", null],
  "something else than base64 is none": ["c;***", null],
  "bytes that are no text are none": ["c;/////w==", null],
  "more than the cap is none": [`c;${"A".repeat(1_400_000)}`, null],
};

for (const [name, [payload, text]] of Object.entries(offers)) {
  test(`clipboard: ${name}`, () => expect(parseClipboardOffer(payload)).toBe(text));
}

// Notifications: OSC 9 (text), OSC 777 (notify;title;body) and OSC 99 (kitty's, with titles and bodies in parts).
import { plainLines, plainText, textFromBase64 } from "./text.ts";

export interface Notification {
  title: string | null;
  body: string;
}

const TITLE_MAX_CHARS = 256;
const BODY_MAX_CHARS = 4_096;
/** OSC 99 notifications begun and not finished in one terminal; the oldest is dropped. */
const PARTS_MAX = 16;

function notification(title: string, body: string): Notification | null {
  const cleanTitle = plainText(title, TITLE_MAX_CHARS).trim();
  const cleanBody = plainLines(body, BODY_MAX_CHARS).trim();
  if (cleanTitle === "" && cleanBody === "") return null;
  // A notification that is one line is all body.
  return cleanBody === ""
    ? { title: null, body: cleanTitle }
    : { title: cleanTitle === "" ? null : cleanTitle, body: cleanBody };
}

/** OSC 9. ConEmu's numbered commands (9;4 is progress) are none. */
export function parseOsc9(payload: string): Notification | null {
  return /^\d{1,2}(;|$)/.test(payload) ? null : notification("", payload);
}

export function parseOsc777(payload: string): Notification | null {
  const [command, title = "", ...body] = payload.split(";");
  return command === "notify" ? notification(title, body.join(";")) : null;
}

/** One OSC 99 sequence at a time; `parts` keeps those that are not done. Answers the notification that became whole. */
export function foldOsc99(
  parts: Map<string, { title: string; body: string }>,
  payload: string,
): Notification | null {
  const separator = payload.indexOf(";");
  if (separator === -1) return null;
  const options = new Map(
    payload
      .slice(0, separator)
      .split(":")
      .map((option) => [option.slice(0, option.indexOf("=")), option.slice(option.indexOf("=") + 1)]),
  );
  const kind = options.get("p") ?? "title";
  if (kind !== "title" && kind !== "body") return null;
  const raw = payload.slice(separator + 1);
  const text = options.get("e") === "1" ? textFromBase64(raw) : raw;
  if (text === null) return null;
  const id = options.get("i") ?? "";
  const part = parts.get(id) ?? { title: "", body: "" };
  part[kind] = (part[kind] + text).slice(0, BODY_MAX_CHARS);
  parts.delete(id);
  if (options.get("d") !== "0") return notification(part.title, part.body);
  parts.set(id, part);
  if (parts.size > PARTS_MAX) parts.delete(parts.keys().next().value!);
  return null;
}

// A picture of a terminal's screen: padi paints it (the same one that `kolu snapshot --png` writes), the page puts it into
// the clipboard, or into a file where the browser does not let it.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { say, sayFailure } from "../canvas/notices.ts";
import { baseName, nameOf } from "../marks/name-of.ts";
import { padi } from "../store/workspace.ts";
import { download } from "./download.ts";

export async function takePicture(record: TerminalRecord): Promise<void> {
  const picture = paint(record);
  if (await copied(picture)) return say("The picture is in your clipboard.");
  await save(record, picture, "The picture could not be copied, so it is among your downloads.");
}

export async function savePicture(record: TerminalRecord): Promise<void> {
  await save(record, paint(record), "The picture is among your downloads.");
}

async function paint({ id }: TerminalRecord): Promise<Blob> {
  const { data, mimeType } = await padi().call("screen.image", { id });
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: mimeType });
}

/** False where the browser has no clipboard for pictures, or keeps it; a picture that is none is the caller's to say. */
async function copied(picture: Promise<Blob>): Promise<boolean> {
  if (!window.isSecureContext || typeof ClipboardItem === "undefined") return false;
  try {
    // The promise itself goes in: by the time that it is there, the click no longer counts as one.
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    return true;
  } catch {
    return false;
  }
}

async function save(record: TerminalRecord, picture: Promise<Blob>, words: string): Promise<void> {
  try {
    download(await picture, fileName(record));
    say(words);
  } catch (error) {
    sayFailure("There is no picture of this terminal")(error);
  }
}

function fileName(record: TerminalRecord): string {
  const name = `${record.git?.name ?? baseName(record.cwd)}-${nameOf(record)}`;
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  return `kolu-${name.replaceAll(/[^\p{L}\p{N}.]+/gu, "-").slice(0, 60)}-${time}.png`;
}

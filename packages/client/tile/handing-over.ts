// Files that a person hands to a terminal: brought to padi in pieces, then their paths are pasted, quoted for a shell and
// never submitted.
import { quoteWords } from "@kolu/anyagent/command-line.ts";
import type { TerminalId } from "@kolu/contract/ids.ts";
import { UPLOAD_MAX_BYTES, UPLOAD_PIECE_MAX_BYTES } from "@kolu/contract/limits.ts";
import { create } from "zustand";
import { say, sayFailure } from "../canvas/notices.ts";
import { padi } from "../store/workspace.ts";

export interface FileUnderWay {
  key: number;
  terminalId: TerminalId;
  name: string;
  sizeBytes: number;
  sentBytes: number;
  cancel(): void;
}

/** Handed over in one go; more are refused rather than half of them taken. */
const FILES_MAX = 16;

export const useFilesUnderWay = create<{ files: readonly FileUnderWay[] }>(() => ({ files: [] }));

let nextKey = 1;

/** Brings the files over, one after another, and pastes the paths of those that arrived. Failures are said. */
export async function handOver(terminalId: TerminalId, files: readonly File[]): Promise<void> {
  const refusal = refusalOf(files);
  if (refusal !== null) return say(refusal);
  const waiting = files.map((file) => announce(terminalId, file));
  const paths: string[] = [];
  for (const { file, key, signal } of waiting) {
    try {
      if (!signal.aborted) paths.push(await send(terminalId, file, key, signal));
    } catch (error) {
      if (!signal.aborted) sayFailure(`${file.name} was not handed over`)(error);
    } finally {
      change(key, null);
    }
  }
  if (paths.length === 0) return;
  // A space behind it: whoever goes on typing begins a word of their own.
  await padi()
    .call("terminal.sendInput", { id: terminalId, text: `${quoteWords(paths)} `, paste: true })
    .catch(sayFailure("The path could not be pasted"));
}

function refusalOf(files: readonly File[]): string | null {
  if (files.length > FILES_MAX) return `At most ${FILES_MAX} files can be handed over at once.`;
  const large = files.find(({ size }) => size > UPLOAD_MAX_BYTES);
  return large
    ? `${large.name} is too large: at most ${UPLOAD_MAX_BYTES / 1024 / 1024} MiB can be handed over.`
    : null;
}

function announce(terminalId: TerminalId, file: File): { file: File; key: number; signal: AbortSignal } {
  const key = nextKey++;
  const abort = new AbortController();
  const entry = { key, terminalId, name: file.name, sizeBytes: file.size, sentBytes: 0 };
  useFilesUnderWay.setState(({ files }) => ({
    files: [...files, { ...entry, cancel: () => abort.abort() }],
  }));
  return { file, key, signal: abort.signal };
}

async function send(id: TerminalId, file: File, key: number, signal: AbortSignal): Promise<string> {
  const { uploadId } = await padi().call("upload.begin", { id, name: file.name, sizeBytes: file.size });
  try {
    for (let offset = 0; ; ) {
      const piece = new Uint8Array(await file.slice(offset, offset + UPLOAD_PIECE_MAX_BYTES).arrayBuffer());
      const data = base64(piece);
      const { receivedBytes, path } = await padi().call(
        "upload.piece",
        { uploadId, offset, data },
        { signal },
      );
      if (path !== null) return path;
      offset = receivedBytes;
      change(key, offset);
    }
  } catch (error) {
    // Whatever stopped it: nothing of it is to stay. A padi that is not there forgets it by itself.
    await padi()
      .call("upload.abandon", { uploadId })
      .catch(() => {});
    throw error;
  }
}

/** Notes how much has arrived; null: it is no longer under way. */
function change(key: number, sentBytes: number | null): void {
  useFilesUnderWay.setState(({ files }) => ({
    files:
      sentBytes === null
        ? files.filter((file) => file.key !== key)
        : files.map((file) => (file.key === key ? { ...file, sentBytes } : file)),
  }));
}

/** In pieces: a call takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  const STEP = 0x8000;
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP)
    text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}

// What a stream has begun and not ended: an escape sequence cut by the end of a read. A snapshot taken
// there carries these bytes at its end, so that a viewer's parser stands where ours does.
import { type Engine, isGround } from "./engine.ts";

/** A longer unfinished sequence (a big clipboard write) is carried only in part: a viewer then ignores that sequence. */
const UNFINISHED_MAX_BYTES = 64 * 1024;
const ESC = 0x1b;
/** First byte of a C1 control in UTF-8, and the second bytes of those that begin a sequence: DCS SOS CSI OSC PM APC. */
const C1_LEAD = 0xc2;
const C1_INTRODUCERS = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);
const NOTHING = new Uint8Array(0);

/** The unfinished bytes after `bytes` were parsed, given those before. */
export function unfinishedAfter(engine: Engine, before: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (isGround(engine)) return NOTHING;
  for (let index = bytes.length - 1; index >= 0; index--) {
    const byte = bytes[index]!;
    const begins =
      byte === ESC || (byte === C1_LEAD && index + 1 < bytes.length && C1_INTRODUCERS.has(bytes[index + 1]!));
    if (begins) return bytes.slice(index, index + UNFINISHED_MAX_BYTES);
  }
  if (before.length >= UNFINISHED_MAX_BYTES) return before;
  return Buffer.concat([before, bytes.subarray(0, UNFINISHED_MAX_BYTES - before.length)]);
}

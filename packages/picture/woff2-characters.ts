// Which characters a WOFF2 file really draws: its `cmap` table. Pure. The ranges that a package of fonts names are wider
// than its files, and an engine that misses a glyph takes some font of the machine without a word.
import { brotliDecompressSync } from "node:zlib";

const HEADER_BYTES = 48;
/** Numbers of the known tables in a WOFF2 directory (W3C Recommendation, 5.1); 63: its name follows. */
const CMAP = 0;
const GLYF = 10;
const LOCA = 11;
const NAMED = 63;

/** Tells for any code point whether the file has a glyph. Throws for what is no WOFF2 font. */
export function charactersOf(file: Buffer): (codePoint: number) => boolean {
  if (file.toString("latin1", 0, 4) !== "wOF2") throw new Error("This is no WOFF2 font.");
  const tableCount = file.readUInt16BE(12);
  const compressedBytes = file.readUInt32BE(20);
  let at = HEADER_BYTES;
  let offset = 0;
  let cmap: [start: number, end: number] | null = null;
  const varint = (): number => {
    let value = 0;
    for (let byte = 0x80; byte & 0x80; ) {
      byte = file[at++]!;
      value = value * 128 + (byte & 0x7f);
    }
    return value;
  };
  for (let table = 0; table < tableCount; table++) {
    const flags = file[at++]!;
    const tag = flags & 63;
    if (tag === NAMED) at += 4;
    const version = flags >> 6;
    let bytes = varint();
    // Of these two version 3 is the plain form, of all others version 0.
    const isTransformed = tag === GLYF || tag === LOCA ? version !== 3 : version !== 0;
    if (isTransformed) bytes = varint();
    if (tag === CMAP) cmap = [offset, offset + bytes];
    offset += bytes;
  }
  if (cmap === null) throw new Error("The font maps no characters.");
  const tables = brotliDecompressSync(file.subarray(at, at + compressedBytes));
  return readCmap(tables.subarray(...cmap));
}

function readCmap(cmap: Buffer): (codePoint: number) => boolean {
  const count = cmap.readUInt16BE(2);
  const segments: [number, number][] = [];
  for (let record = 0; record < count; record++) {
    const start = cmap.readUInt32BE(4 + record * 8 + 4);
    const format = cmap.readUInt16BE(start);
    if (format === 4) segments.push(...format4(cmap, start));
    if (format === 12) segments.push(...format12(cmap, start));
  }
  return (codePoint) => segments.some(([first, last]) => codePoint >= first && codePoint <= last);
}

function format4(cmap: Buffer, start: number): [number, number][] {
  const segmentBytes = cmap.readUInt16BE(start + 6);
  const found: [number, number][] = [];
  for (let at = 0; at < segmentBytes; at += 2) {
    const last = cmap.readUInt16BE(start + 14 + at);
    const first = cmap.readUInt16BE(start + 16 + segmentBytes + at);
    const rangeOffsetAt = start + 16 + 3 * segmentBytes + at;
    const rangeOffset = cmap.readUInt16BE(rangeOffsetAt);
    if (first === 0xffff) continue;
    if (rangeOffset === 0) found.push([first, last]);
    else
      for (let code = first; code <= last; code++)
        if (cmap.readUInt16BE(rangeOffsetAt + rangeOffset + (code - first) * 2) !== 0)
          found.push([code, code]);
  }
  return found;
}

function format12(cmap: Buffer, start: number): [number, number][] {
  const groups = cmap.readUInt32BE(start + 12);
  return Array.from({ length: groups }, (_, group) => {
    const at = start + 16 + group * 12;
    return [cmap.readUInt32BE(at), cmap.readUInt32BE(at + 4)];
  });
}

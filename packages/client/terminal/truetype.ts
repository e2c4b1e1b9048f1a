// A minimal TrueType writer: polygons in, the bytes of a font out. Pure. Only what browsers insist on: no hints, no
// curves, no kerning.

export interface FontPoint {
  x: number;
  y: number;
}

/** Closed, in one direction of rotation; contours may overlap. */
export type Contour = readonly FontPoint[];

export interface FontDescription {
  family: string;
  unitsPerEm: number;
  ascender: number;
  /** Negative. */
  descender: number;
  advance: number;
  /** By code point of the Basic Multilingual Plane. */
  glyphs: ReadonlyMap<number, readonly Contour[]>;
}

export function buildTrueType(font: FontDescription): Uint8Array<ArrayBuffer> {
  const codes = [...font.glyphs.keys()].sort((a, b) => a - b);
  const outlines = codes.map((code) => encodeGlyph(font.glyphs.get(code)!));
  // Glyph 0 is the one for what the font does not have: empty.
  const glyphs = [new Uint8Array(0), ...outlines];
  const tables: [tag: string, bytes: Uint8Array][] = [
    ["OS/2", os2Table(font, codes)],
    ["cmap", cmapTable(codes)],
    ["glyf", concat(glyphs)],
    ["head", headTable(font)],
    ["hhea", hheaTable(font, glyphs.length)],
    ["hmtx", hmtxTable(font, codes)],
    ["loca", locaTable(glyphs)],
    ["maxp", maxpTable(font, glyphs.length)],
    ["name", nameTable(font.family)],
    ["post", bytesOf([u32(0x00030000), u32(0), u32(0), u32(1), u32(0), u32(0), u32(0), u32(0)])],
  ];
  return assemble(tables);
}

function u16(value: number): number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

function u32(value: number): number[] {
  return [...u16(value >>> 16), ...u16(value & 0xffff)];
}

function bytesOf(parts: readonly number[][]): Uint8Array {
  return Uint8Array.from(parts.flat());
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const ON_CURVE = 1;

function encodeGlyph(contours: readonly Contour[]): Uint8Array {
  const points = contours.flat();
  if (points.length === 0) return new Uint8Array(0);
  const xs = points.map((point) => Math.round(point.x));
  const ys = points.map((point) => Math.round(point.y));
  let end = -1;
  const ends = contours.map((contour) => {
    end += contour.length;
    return u16(end);
  });
  const bytes = bytesOf([
    u16(contours.length),
    u16(Math.min(...xs)),
    u16(Math.min(...ys)),
    u16(Math.max(...xs)),
    u16(Math.max(...ys)),
    ...ends,
    u16(0),
    points.map(() => ON_CURVE),
    deltas(xs),
    deltas(ys),
  ]);
  return padded(bytes);
}

function deltas(values: readonly number[]): number[] {
  return values.flatMap((value, index) => u16(value - (index === 0 ? 0 : values[index - 1]!)));
}

/** To a multiple of four, as tables and glyphs want. */
function padded(bytes: Uint8Array): Uint8Array {
  const rest = bytes.length % 4;
  return rest === 0 ? bytes : concat([bytes, new Uint8Array(4 - rest)]);
}

/** The side bearing is where the outline begins: rasterisers move it there. */
function hmtxTable({ advance, glyphs }: FontDescription, codes: readonly number[]): Uint8Array {
  const lefts = codes.map((code) => {
    const xs = glyphs
      .get(code)!
      .flat()
      .map((point) => Math.round(point.x));
    return xs.length === 0 ? 0 : Math.min(...xs);
  });
  return bytesOf([0, ...lefts].flatMap((left) => [u16(advance), u16(left)]));
}

function locaTable(glyphs: readonly Uint8Array[]): Uint8Array {
  let offset = 0;
  const offsets = [u32(0)];
  for (const glyph of glyphs) {
    offset += glyph.length;
    offsets.push(u32(offset));
  }
  return bytesOf(offsets);
}

/** Format 4: runs of neighbouring code points, whose glyphs follow one another. */
function cmapTable(codes: readonly number[]): Uint8Array {
  const runs: { first: number; last: number; glyph: number }[] = [];
  for (const [index, code] of codes.entries()) {
    const run = runs.at(-1);
    if (run && code === run.last + 1) run.last = code;
    else runs.push({ first: code, last: code, glyph: index + 1 });
  }
  const segments = [...runs, { first: 0xffff, last: 0xffff, glyph: 0 }];
  const power = 2 ** Math.floor(Math.log2(segments.length));
  const subtable = bytesOf([
    u16(4),
    u16(16 + segments.length * 8),
    u16(0),
    u16(segments.length * 2),
    u16(power * 2),
    u16(Math.log2(power)),
    u16((segments.length - power) * 2),
    ...segments.map(({ last }) => u16(last)),
    u16(0),
    ...segments.map(({ first }) => u16(first)),
    ...segments.map(({ first, glyph }) => u16(glyph - first)),
    ...segments.map(() => u16(0)),
  ]);
  return concat([bytesOf([u16(0), u16(1), u16(3), u16(1), u32(12)]), subtable]);
}

function headTable(font: FontDescription): Uint8Array {
  return bytesOf([
    u32(0x00010000),
    u32(0x00010000),
    u32(0), // The whole font's checksum: assemble() puts it here.
    u32(0x5f0f3cf5),
    u16(0b1001),
    u16(font.unitsPerEm),
    u32(0),
    u32(0),
    u32(0),
    u32(0),
    u16(0),
    u16(font.descender),
    u16(font.advance),
    u16(font.ascender),
    u16(0),
    u16(8),
    u16(2),
    u16(1),
    u16(0),
  ]);
}

function hheaTable(font: FontDescription, glyphCount: number): Uint8Array {
  const nothing = Array.from({ length: 4 }, () => u16(0));
  return bytesOf([
    u32(0x00010000),
    u16(font.ascender),
    u16(font.descender),
    u16(0),
    u16(font.advance),
    u16(0),
    u16(0),
    u16(font.advance),
    u16(1),
    u16(0),
    u16(0),
    ...nothing,
    u16(0),
    u16(glyphCount),
  ]);
}

function maxpTable(font: FontDescription, glyphCount: number): Uint8Array {
  const all = [...font.glyphs.values()];
  const points = Math.max(0, ...all.map((contours) => contours.flat().length));
  const contours = Math.max(0, ...all.map((each) => each.length));
  const rest = Array.from({ length: 8 }, () => u16(0));
  return bytesOf([
    u32(0x00010000),
    u16(glyphCount),
    u16(points),
    u16(contours),
    u16(0),
    u16(0),
    u16(2),
    ...rest,
  ]);
}

function os2Table(font: FontDescription, codes: readonly number[]): Uint8Array {
  return bytesOf([
    u16(4),
    u16(font.advance),
    u16(400),
    u16(5),
    u16(0),
    ...Array.from({ length: 11 }, () => u16(0)),
    Array.from({ length: 10 }, () => 0),
    ...Array.from({ length: 4 }, () => u32(0)),
    [0x4b, 0x4f, 0x4c, 0x55],
    u16(0x40),
    u16(codes[0] ?? 0),
    u16(codes.at(-1) ?? 0),
    u16(font.ascender),
    u16(font.descender),
    u16(0),
    u16(font.ascender),
    u16(-font.descender),
    u32(0),
    u32(0),
    u16(Math.round(font.unitsPerEm / 2)),
    u16(font.ascender),
    u16(0),
    u16(32),
    u16(1),
  ]);
}

function nameTable(family: string): Uint8Array {
  const names: [id: number, text: string][] = [
    [1, family],
    [2, "Regular"],
    [3, family],
    [4, family],
    [5, "Version 1.0"],
    [6, family.replaceAll(" ", "")],
  ];
  const texts = names.map(([, text]) =>
    Uint8Array.from([...text].flatMap((letter) => u16(letter.charCodeAt(0)))),
  );
  let offset = 0;
  const records = names.map(([id], index) => {
    const { length } = texts[index]!;
    const record = [u16(3), u16(1), u16(0x409), u16(id), u16(length), u16(offset)].flat();
    offset += length;
    return record;
  });
  return concat([bytesOf([u16(0), u16(names.length), u16(6 + names.length * 12), ...records]), ...texts]);
}

const CHECKSUM_MAGIC = 0xb1b0afba;
const CHECKSUM_AT = 8;

function assemble(tables: readonly [tag: string, bytes: Uint8Array][]): Uint8Array<ArrayBuffer> {
  const power = 2 ** Math.floor(Math.log2(tables.length));
  const header = [
    u32(0x00010000),
    u16(tables.length),
    u16(power * 16),
    u16(Math.log2(power)),
    u16((tables.length - power) * 16),
  ];
  let offset = 12 + tables.length * 16;
  let headAt = 0;
  const bodies: Uint8Array[] = [];
  const directory = tables.map(([tag, bytes]) => {
    const body = padded(bytes);
    const entry = [...tag].map((letter) => letter.charCodeAt(0));
    if (tag === "head") headAt = offset;
    const row = [...entry, ...u32(checksum(body)), ...u32(offset), ...u32(bytes.length)];
    offset += body.length;
    bodies.push(body);
    return row;
  });
  const whole = concat([bytesOf([...header, ...directory]), ...bodies]);
  whole.set(u32((CHECKSUM_MAGIC - checksum(whole)) >>> 0), headAt + CHECKSUM_AT);
  return whole;
}

/** The sum of all 32-bit words. */
export function checksum(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}

// A screenshot as a PNG with a palette: pages are flat colours and text, so 256 colours look the same at a third of the
// bytes. Pure. Reads what Chromium writes (8 bits a channel, not interlaced) and nothing else.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE_MAX = 256;

interface Pixels {
  width: number;
  height: number;
  /** Three bytes a pixel: what is see-through is not told apart. */
  rgb: Uint8Array;
}

/** Throws when it is no PNG of the kind above. */
export function toPalettePng(png: Uint8Array): Buffer {
  const { width, height, rgb } = decodePng(Buffer.from(png));
  const counts = countColours(rgb);
  const palette = choosePalette(counts);
  const indexOf = new Map([...counts.keys()].map((colour) => [colour, nearestIn(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1)); // The filter byte of each row stays 0: filters do not help a palette.
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = indexOf.get(colourAt(rgb, (y * width + x) * 3))!;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits, palette
  const entries = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", entries),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function decodePng(png: Buffer): Pixels {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error("This is no PNG.");
  const data: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = body;
    if (type === "IDAT") data.push(body);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colourType, , , interlaced] = header.subarray(8);
  const channels = colourType === 2 ? 3 : colourType === 6 ? 4 : 0;
  if (depth !== 8 || channels === 0 || interlaced !== 0)
    throw new Error(`A PNG of ${depth} bits, colour type ${colourType}, is not read here.`);
  const raw = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels);
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    rgb.set(raw.subarray(pixel * channels, pixel * channels + 3), pixel * 3);
  return { width, height, rgb };
}

/** Undoes the filter of each row, which its first byte names. */
function unfilter(filtered: Uint8Array, rowBytes: number, channels: number): Uint8Array {
  const rowCount = filtered.length / (rowBytes + 1);
  const raw = new Uint8Array(rowCount * rowBytes);
  for (let row = 0; row < rowCount; row++) {
    const filter = filtered[row * (rowBytes + 1)]!;
    for (let x = 0; x < rowBytes; x++) {
      const at = row * rowBytes + x;
      const left = x >= channels ? raw[at - channels]! : 0;
      const up = row > 0 ? raw[at - rowBytes]! : 0;
      const upLeft = x >= channels && row > 0 ? raw[at - rowBytes - channels]! : 0;
      raw[at] = filtered[row * (rowBytes + 1) + 1 + x]! + predicted(filter, left, up, upLeft);
    }
  }
  return raw;
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const guess = left + up - upLeft;
      const [byLeft, byUp, byUpLeft] = [left, up, upLeft].map((value) => Math.abs(guess - value));
      if (byLeft! <= byUp! && byLeft! <= byUpLeft!) return left;
      return byUp! <= byUpLeft! ? up : upLeft;
    }
    default:
      return 0;
  }
}

function colourAt(rgb: Uint8Array, at: number): number {
  return (rgb[at]! << 16) | (rgb[at + 1]! << 8) | rgb[at + 2]!;
}

function countColours(rgb: Uint8Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = colourAt(rgb, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
}

interface Box {
  colours: [colour: number, count: number][];
  /** Channel along which it is widest, and how wide, each weighed by how many pixels it speaks for. */
  shift: number;
  error: number;
}

/** Median cut: the box of colours with the largest error is halved until there are enough. */
function choosePalette(counts: ReadonlyMap<number, number>): number[] {
  const boxes = [boxOf([...counts])];
  while (boxes.length < PALETTE_MAX) {
    const worst = boxes.reduce((a, b) => (b.error > a.error ? b : a));
    if (worst.error === 0) break;
    boxes.splice(boxes.indexOf(worst), 1, ...halved(worst));
  }
  return boxes.map(({ colours }) => speakerOf(colours));
}

function boxOf(colours: Box["colours"]): Box {
  let best = { shift: 0, error: 0 };
  for (const shift of [16, 8, 0]) {
    const total = colours.reduce((sum, [, count]) => sum + count, 0);
    const mean = colours.reduce((sum, [colour, count]) => sum + ((colour >> shift) & 255) * count, 0) / total;
    // The root keeps large flat areas from taking the whole palette.
    const error = colours.reduce(
      (sum, [colour, count]) => sum + (((colour >> shift) & 255) - mean) ** 2 * Math.sqrt(count),
      0,
    );
    if (error > best.error) best = { shift, error };
  }
  return { colours, ...(colours.length > 1 ? best : { shift: 0, error: 0 }) };
}

function halved({ colours, shift }: Box): [Box, Box] {
  const sorted = colours.toSorted(([a], [b]) => ((a >> shift) & 255) - ((b >> shift) & 255));
  const weight = ([, count]: [number, number]): number => Math.sqrt(count);
  const half = sorted.reduce((sum, one) => sum + weight(one), 0) / 2;
  let passed = 0;
  let at = 0;
  while (at < sorted.length - 1 && passed + weight(sorted[at]!) <= half) passed += weight(sorted[at++]!);
  const cut = Math.max(1, at);
  return [boxOf(sorted.slice(0, cut)), boxOf(sorted.slice(cut))];
}

/** The commonest colour of a box, exactly: a background must not shift by one. */
function speakerOf(colours: Box["colours"]): number {
  return colours.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

function nearestIn(palette: readonly number[], colour: number): number {
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let index = 0; index < palette.length; index++) {
    const other = palette[index]!;
    const distance =
      ((colour >> 16) - (other >> 16)) ** 2 +
      (((colour >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
      ((colour & 255) - (other & 255)) ** 2;
    if (distance < bestDistance) [best, bestDistance] = [index, distance];
  }
  return best;
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(body.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([frame, named, sum]);
}

// A PNG file of RGB pixels (W3C PNG, third edition): header, one deflate stream, end. Quick rather than small: the canvas's
// own encoder takes five times as long for two thirds of the bytes.
import { crc32, deflateSync } from "node:zlib";
import type { Pixels } from "./pixels.ts";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const BITS_A_CHANNEL = 8;
const COLOUR_TYPE_RGB = 2;
/** More costs much time for few bytes: text on an even ground packs well at once. */
const DEFLATE_LEVEL = 2;

export function encodePng({ widthPx, heightPx, bytes }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx);
  header.writeUInt32BE(heightPx, 4);
  header[8] = BITS_A_CHANNEL;
  header[9] = COLOUR_TYPE_RGB;
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(bytes, { level: DEFLATE_LEVEL })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, "latin1");
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

// Where a stream of UTF-8 may be cut. The emulator (@xterm 6.0.0, headless and in the page) loses a character whose
// second byte is 0x80 when a write ends right after that byte: every dash, ellipsis and curly quote (E2 80 ..). So
// whoever writes bytes into an emulator holds an unfinished character back until the rest is there.

/** How many bytes at the end begin a character that is not complete: 0 to 3. */
export function unfinishedUtf8Bytes(bytes: Uint8Array): number {
  const limit = Math.min(3, bytes.length);
  for (let back = 1; back <= limit; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < needed ? back : 0;
  }
  return 0;
}

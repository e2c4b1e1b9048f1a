import fc from "fast-check";
import { expect, test } from "vitest";
import {
  attachPath,
  decodeServerFrame,
  decodeViewerFrame,
  encodeServerFrame,
  encodeViewerFrame,
  formatCursor,
  parseAttachPath,
  parseCursor,
  type ServerFrame,
  type ViewerFrame,
} from "./attach.ts";

const boot = fc.uuid();
const offset = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const side = fc.integer({ min: 0, max: 0xffff });
const bytes = fc.uint8Array({ maxLength: 64 });
const seq = fc.integer({ min: 0, max: 0xffff_ffff });

const serverFrame: fc.Arbitrary<ServerFrame> = fc.oneof(
  fc.record({ kind: fc.constant("resume" as const), offset, boot }),
  fc.record({ kind: fc.constant("snapshot" as const), offset, cols: side, rows: side, boot, vt: bytes }),
  fc.record({ kind: fc.constant("output" as const), offset, bytes }),
  fc.record({ kind: fc.constant("grid" as const), cols: side, rows: side }),
  fc.record({
    kind: fc.constant("exit" as const),
    code: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    signal: fc.integer({ min: 0, max: 255 }),
  }),
  fc.record({ kind: fc.constant("input-ack" as const), seq }),
  fc.record({ kind: fc.constant("input-refused" as const), seq, queuedBytes: seq }),
);

const viewerFrame: fc.Arbitrary<ViewerFrame> = fc.oneof(
  fc.record({ kind: fc.constant("input" as const), seq, bytes }),
  fc.record({ kind: fc.constant("resize" as const), cols: side, rows: side }),
  fc.record({ kind: fc.constant("focus" as const), focused: fc.boolean() }),
  fc.record({ kind: fc.constant("ack" as const), offset }),
);

test("every frame comes back as it went in, also out of the middle of a larger buffer", () => {
  fc.assert(
    fc.property(serverFrame, (frame) => {
      const encoded = encodeServerFrame(frame);
      const shifted = new Uint8Array(encoded.length + 3);
      shifted.set(encoded, 3);
      expect(decodeServerFrame(shifted.subarray(3))).toEqual(frame);
    }),
  );
  fc.assert(
    fc.property(viewerFrame, (frame) => {
      expect(decodeViewerFrame(encodeViewerFrame(frame))).toEqual(frame);
    }),
  );
});

test("bytes that are no frame of ours, or a frame cut in its header, are refused and never throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
      decodeServerFrame(noise);
      decodeViewerFrame(noise);
    }),
  );
  expect(decodeServerFrame(new Uint8Array())).toBeNull();
  expect(decodeServerFrame(Uint8Array.of(99, 1, 2))).toBeNull();
  expect(decodeViewerFrame(Uint8Array.of(17, 0, 0))).toBeNull();
  expect(
    decodeServerFrame(encodeServerFrame({ kind: "exit", code: 1, signal: 0 }).subarray(0, 4)),
  ).toBeNull();
});

test("an attach URL carries its query there and back; a number that is none makes it no attach URL", () => {
  const query = { boot: "b", offset: 12, scrollback: 1000, viewer: "v", role: "observer" as const };
  expect(parseAttachPath(attachPath("id-1", query))).toEqual({ id: "id-1", query });
  expect(parseAttachPath("/attach/x?from=last-input")).toEqual({ id: "x", query: { from: "last-input" } });
  expect(parseAttachPath("/attach/x")).toEqual({ id: "x", query: {} });
  for (const url of ["/attach/", "/attach/x/y", "/attach/x?offset=-1", "/attach/x?offset=1.5", "/rpc"])
    expect(parseAttachPath(url)).toBeNull();
});

test("a cursor is opaque text that comes back whole, and anything else is none", () => {
  fc.assert(
    fc.property(boot, offset, offset, (aBoot, anOffset, atMs) => {
      const cursor = { boot: aBoot, offset: anOffset, atMs };
      expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
    }),
  );
  for (const text of ["", "x:1:2", "00000000-0000-0000-0000-000000000000:1"])
    expect(parseCursor(text)).toBeNull();
});

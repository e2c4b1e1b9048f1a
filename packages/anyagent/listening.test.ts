import { expect, test } from "vitest";
import { parseTable } from "./listening-linux.ts";
import { parseSockets } from "./listening-mac.ts";

const V4 = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 31337 1 0000000000000000 100 0 0 10 0
   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 31338 1 0000000000000000 100 0 0 10 0
   2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 901 1 0000000000000000 100 0 0 10 0
   3: 0100007F:0BB8 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 31400 1 0000000000000000 100 0 0 10 0
`;
const V6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:1435 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0 100 0 0 10 0
   1: 00000000000000000000000001000000:2328 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 42 1 0 100 0 0 10 0
`;

test("the kernel's tables name what listens, of our own user alone", () => {
  expect(parseTable(V4, "v4", 1000)).toEqual([
    { key: "31337", address: "127.0.0.1", port: 3000, family: "v4" },
    { key: "31338", address: "0.0.0.0", port: 8080, family: "v4" },
  ]);
  expect(parseTable(V6, "v6", 1000)).toEqual([
    { key: "41", address: "::", port: 5173, family: "v6" },
    { key: "42", address: "::1", port: 9000, family: "v6" },
  ]);
});

// Fields as lsof prints them on macOS for -F ptdn: one socket of node on each family, one that two processes share.
const LSOF = `p501
f21
tIPv4
d0x6c3a9e1f2a4b1c01
n127.0.0.1:3000
f22
tIPv6
d0x6c3a9e1f2a4b1c02
n*:5173
p600
f5
tIPv6
d0x6c3a9e1f2a4b1c03
n[::1]:9000
p601
f5
tIPv6
d0x6c3a9e1f2a4b1c03
n[::1]:9000
`;

test("lsof's fields name what listens, and who holds it first", () => {
  expect(parseSockets(LSOF).map(({ key: _key, ...socket }) => socket)).toEqual([
    { pid: 501, address: "127.0.0.1", port: 3000, family: "v4" },
    { pid: 501, address: "::", port: 5173, family: "v6" },
    { pid: 600, address: "::1", port: 9000, family: "v6" },
  ]);
  expect(parseSockets("")).toEqual([]);
});

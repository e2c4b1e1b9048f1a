// Screens to disk and back, so that scrollback outlives kaval and the machine. One file a terminal, written whole under
// another name and renamed; a file that is not what it should be is set aside and said, never shown and never fatal.
//
//   bytes 0-7    "KOLUSCRN"
//   8-11         format version
//   12-15        length of the header
//   16-19        CRC-32 of header and body
//   header       JSON: grid, time, facts, length of the VT
//   body         the VT, deflated
import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, deflateRaw, inflateRaw } from "node:zlib";
import { ProgramRecord } from "@kolu/contract/program-status.ts";
import { CommandFacts } from "@kolu/contract/terminal.ts";
import { z } from "zod";
import type { Checkpoint } from "./screens.ts";

const MAGIC = Buffer.from("KOLUSCRN");
const FORMAT_VERSION = 1;
const PREAMBLE_BYTES = 20;
const CRC_OFFSET = 16;
const SUFFIX = ".screen";
/** A full scrollback is about 2 MB of VT; more than this is no screen of ours. */
const VT_MAX_BYTES = 64 * 1024 * 1024;
const HEADER_MAX_BYTES = 4 * 1024 * 1024;

const Header = z.object({
  cols: z.int().positive(),
  rows: z.int().positive(),
  savedAtMs: z.number(),
  vtBytes: z.int().min(0).max(VT_MAX_BYTES),
  facts: z.object({
    title: z.string().nullable(),
    cwd: z.string().nullable(),
    command: CommandFacts.nullable(),
    promptShown: z.boolean().nullable(),
    program: z.array(ProgramRecord),
    progress: z
      .object({ state: z.enum(["normal", "error", "indeterminate", "paused"]), value: z.number().nullable() })
      .nullable(),
  }),
});
type Header = z.infer<typeof Header>;

/** A checkpoint without its content. */
export type CheckpointSummary = { id: string } & Omit<Checkpoint, "vt">;

/** A file that is no screen we can show. `setAsideAs`: where it lies now; null when it was left, for a newer kolu. */
export class DamagedCheckpoint extends Error {
  readonly reason: string;
  readonly setAsideAs: string | null;
  constructor(path: string, reason: string, setAsideAs: string | null) {
    super(
      `The saved screen ${path} cannot be shown. ${reason}${setAsideAs ? ` It was moved to ${setAsideAs}.` : ""}`,
    );
    this.name = "DamagedCheckpoint";
    this.reason = reason;
    this.setAsideAs = setAsideAs;
  }
}

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

function pathOf(dir: string, id: string): string {
  // Ids are uuids wherever they come from; this keeps a bug from writing elsewhere.
  if (!/^[\w-]+$/.test(id)) throw new Error(`Not an id that can name a file: ${JSON.stringify(id)}`);
  return join(dir, `${id}${SUFFIX}`);
}

/** Writes the file whole, or leaves the one before. Compression runs off the main thread. Rejects when the disk does. */
export async function writeCheckpoint(dir: string, id: string, checkpoint: Checkpoint): Promise<void> {
  const path = pathOf(dir, id);
  const { vt, ...rest } = checkpoint;
  const header = Buffer.from(JSON.stringify({ ...rest, vtBytes: vt.length } satisfies Header));
  const body = (await deflated(vt, { level: 1 })) as Buffer;
  const preamble = Buffer.alloc(PREAMBLE_BYTES);
  MAGIC.copy(preamble);
  preamble.writeUInt32BE(FORMAT_VERSION, 8);
  preamble.writeUInt32BE(header.length, 12);
  preamble.writeUInt32BE(crc32(body, crc32(header)), CRC_OFFSET);
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writev([preamble, header, body]);
      // Without it a power cut may leave the new name on an empty file.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new Error(`The screen of terminal ${id} could not be saved to ${path}.`, { cause });
  }
}

/** Rejects with a DamagedCheckpoint, or with an error when there is none or the disk fails. */
export async function readCheckpoint(dir: string, id: string): Promise<Checkpoint> {
  const path = pathOf(dir, id);
  const parsed = await parse(await readWhole(path));
  if (parsed.kind === "checkpoint") return parsed.checkpoint;
  throw await setAside(path, parsed);
}

async function setAside(path: string, { kind, reason }: Unfit): Promise<DamagedCheckpoint> {
  if (kind === "newer") return new DamagedCheckpoint(path, reason, null);
  const setAsideAs = `${path}.damaged`;
  await rename(path, setAsideAs);
  return new DamagedCheckpoint(path, reason, setAsideAs);
}

async function readWhole(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new Error(`The saved screen ${path} could not be read.`, { cause });
  }
}

type Unfit = { kind: "newer" | "damaged"; reason: string };
type Parsed = { kind: "checkpoint"; checkpoint: Checkpoint } | Unfit;

function damaged(reason: string): Unfit {
  return { kind: "damaged", reason };
}

async function parse(bytes: Buffer): Promise<Parsed> {
  const preamble = parsePreamble(bytes);
  if ("reason" in preamble) return preamble;
  const bodyStart = PREAMBLE_BYTES + preamble.headerBytes;
  if (bytes.length < bodyStart) return damaged("It ends inside its header.");
  if (crc32(bytes.subarray(PREAMBLE_BYTES)) !== preamble.crc)
    return damaged("Its checksum does not fit its content.");
  const header = parseHeader(bytes.subarray(PREAMBLE_BYTES, bodyStart));
  if (!header) return damaged("Its header is not one of ours.");
  try {
    const vt = (await inflated(bytes.subarray(bodyStart), { maxOutputLength: VT_MAX_BYTES })) as Buffer;
    if (vt.length !== header.vtBytes) return damaged("Its content is shorter or longer than it says.");
    const { vtBytes: _, ...rest } = header;
    return { kind: "checkpoint", checkpoint: { ...rest, vt: new Uint8Array(vt) } };
  } catch (error) {
    return damaged(`Its content cannot be unpacked: ${(error as Error).message}`);
  }
}

function parsePreamble(bytes: Buffer): { headerBytes: number; crc: number } | Unfit {
  if (bytes.length < PREAMBLE_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    return damaged("It does not begin as a saved screen does.");
  const version = bytes.readUInt32BE(8);
  if (version > FORMAT_VERSION)
    return { kind: "newer", reason: `It has format ${version}; this kolu reads up to ${FORMAT_VERSION}.` };
  return { headerBytes: bytes.readUInt32BE(12), crc: bytes.readUInt32BE(CRC_OFFSET) };
}

function parseHeader(bytes: Buffer): Header | null {
  try {
    return Header.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    // Reported by the caller as damage.
    return null;
  }
}

/**
 * What lies in `dir`, without unpacking it: a hundred saved screens cost a hundred headers. Files that are no screens are
 * set aside and listed as such; half-written ones of a kaval that died are removed. No directory is an empty one.
 */
export async function listCheckpoints(dir: string): Promise<(CheckpointSummary | DamagedCheckpoint)[]> {
  let names: string[];
  try {
    names = await readdir(dir);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`The saved screens in ${dir} could not be listed.`, { cause });
  }
  const listed: (CheckpointSummary | DamagedCheckpoint)[] = [];
  for (const name of names) {
    const path = join(dir, name);
    if (name.endsWith(".tmp")) await rm(path, { force: true });
    if (!name.endsWith(SUFFIX)) continue;
    const header = await readHeader(path);
    if ("reason" in header) listed.push(await setAside(path, header));
    else {
      const { vtBytes: _, ...rest } = header;
      listed.push({ id: name.slice(0, -SUFFIX.length), ...rest });
    }
  }
  return listed;
}

async function readHeader(path: string): Promise<Header | Unfit> {
  const file = await open(path);
  try {
    const start = Buffer.alloc(PREAMBLE_BYTES);
    const { bytesRead } = await file.read(start, 0, PREAMBLE_BYTES, 0);
    const preamble = parsePreamble(start.subarray(0, bytesRead));
    if ("reason" in preamble) return preamble;
    if (preamble.headerBytes > HEADER_MAX_BYTES) return damaged("Its header is too long to be one of ours.");
    const header = Buffer.alloc(preamble.headerBytes);
    await file.read(header, 0, header.length, PREAMBLE_BYTES);
    return parseHeader(header) ?? damaged("Its header is not one of ours.");
  } finally {
    await file.close();
  }
}

/** No error when there is none. */
export async function removeCheckpoint(dir: string, id: string): Promise<void> {
  await rm(pathOf(dir, id), { force: true });
}

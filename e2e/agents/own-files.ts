// What an eyewitness sees of an agent's own files: many times a second, whatever is there at that moment.
import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";

export const LOOK_EVERY_MS = 10;

/** What came to a file since the last look; nothing while it is not there. `offsets` remembers the looks, by path. */
export function appended(path: string, offsets: Map<string, number>): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return "";
  }
  try {
    const from = offsets.get(path) ?? 0;
    const { size } = fstatSync(file);
    offsets.set(path, size);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    readSync(file, buffer, 0, buffer.length, from);
    return buffer.toString("latin1");
  } finally {
    closeSync(file);
  }
}

export function list(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

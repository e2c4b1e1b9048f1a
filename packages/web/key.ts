// The key that signs session cookies: 32 random bytes, mode 0600, in the state root, so that a restarted server knows
// the browsers it let in. Deleting the file signs every browser out.
import { randomBytes } from "node:crypto";
import { link, open, readFile, stat, unlink, writeFile } from "node:fs/promises";

const KEY_BYTES = 32;

/** Reads the key, or makes it. Rejects when the file can be read by others: then it is no secret, and a person decides. */
export async function openKey(path: string): Promise<Buffer> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, randomBytes(KEY_BYTES), { mode: 0o600 });
  try {
    // A hard link appears whole or not at all: of two servers that start at once both read the same key.
    await link(temporary, path);
    await syncFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await unlink(temporary);
  }
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & 0o077) !== 0)
    throw new Error(
      `${path} can be read by others (mode ${mode.toString(8)}), so its key is no secret. Delete it: a new one is made, and every browser needs a new link.`,
    );
  const key = await readFile(path);
  if (key.length !== KEY_BYTES)
    throw new Error(
      `${path} holds ${key.length} bytes instead of ${KEY_BYTES}. Delete it: a new one is made.`,
    );
  return key;
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  await file.sync();
  await file.close();
}

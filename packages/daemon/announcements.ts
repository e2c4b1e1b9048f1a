// Processes that stand beside padi and bring it back when it goes (a web server, an MCP server), as they announce themselves
// in the runtime directory: whoever ends padi can name them.
import { readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processStart } from "./process-start.ts";

export interface Announced {
  pid: number;
  /** What it said of itself, as it stands in the file: to be judged by its reader. */
  facts: Record<string, unknown>;
}

/**
 * Leaves `<name>.json` for as long as this process lives.
 * @param name its kind, a dash, and what tells it from others of that kind
 * @returns takes it back; never rejects, for a process that is gone is announced no more anyway
 */
export async function announceProcess(
  runtime: string,
  name: string,
  facts: Record<string, unknown> = {},
): Promise<() => Promise<void>> {
  const path = join(runtime, `${name}.json`);
  const { pid } = process;
  const text = JSON.stringify({ ...facts, pid, start: await processStart(pid) });
  const temporary = `${path}.${pid}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, path);
  return async () => {
    if ((await readFile(path, "utf8").catch(() => null)) === text) await unlink(path).catch(() => {});
  };
}

/** Those of a kind that live, by name. What a crashed one left behind under its own pid is cleared away. */
export async function findAnnounced(runtime: string, kind: string): Promise<Announced[]> {
  const shape = new RegExp(`^${kind}-(\\d+)\\.json$`);
  const names = await readdir(runtime).catch(() => [] as string[]);
  const found: Announced[] = [];
  for (const name of names.filter((entry) => shape.test(entry)).sort()) {
    const path = join(runtime, name);
    const announced = await readAnnouncement(path);
    if (announced === "half") continue;
    if (announced.lives) found.push(announced);
    else if (shape.exec(name)?.[1] === String(announced.pid)) await unlink(path).catch(() => {});
  }
  return found;
}

async function readAnnouncement(path: string): Promise<(Announced & { lives: boolean }) | "half"> {
  try {
    const { pid, start, ...facts } = JSON.parse(await readFile(path, "utf8"));
    if (typeof pid !== "number") return "half";
    return { pid, facts, lives: (await processStart(pid)) === start };
  } catch {
    return "half"; // Of a crashed process, or taken back a moment ago: it stands nowhere.
  }
}

// The painter as a process: it comes when it is needed, goes when it is not, and its death costs one answer.
import { readdir, readFile } from "node:fs/promises";
import { terminalScheme } from "@kolu/contract/terminal-schemes.ts";
import { expect, test } from "vitest";
import { createPictures } from "./pictures.ts";

const scheme = terminalScheme(null, "dark").colors;
const request = (text: string) => ({
  screen: { vt: Buffer.from(text), cols: 20, rows: 2 },
  scheme,
  lines: null,
});

/** Painters that this very process has started. */
async function painters(): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (Number(parent) === process.pid && state !== "Z" && /kolu-picture|picture-worker/.test(command))
      found.push(Number(pid));
  }
  return found;
}

test.runIf(process.platform === "linux")(
  "one painter draws all that is asked at once; one that dies fails what it was at, and the next is asked anew",
  async () => {
    await using pictures = createPictures();
    const drawn = await Promise.all(["one", "two", "three"].map((text) => pictures.draw(request(text))));
    for (const { png, cols, rows } of drawn) {
      expect(Buffer.from(png).toString("latin1", 1, 4)).toBe("PNG");
      expect([cols, rows]).toEqual([20, 2]);
    }
    const [pid, ...others] = await painters();
    expect(others).toEqual([]);
    process.kill(pid!, "SIGSTOP");
    const lost = pictures.draw(request("lost"));
    process.kill(pid!, "SIGKILL");
    await expect(lost).rejects.toThrow("could not be drawn");
    expect((await pictures.draw(request("again"))).rows).toBe(2);
    await pictures[Symbol.asyncDispose]();
    expect(await painters()).toEqual([]);
  },
);

// Part of the page's build: makes /sw.js, with the list of what the first page needs and a version that changes with it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const FILE = "sw.js";
const CLIENT = join(import.meta.dirname, "..", "packages", "client");
const PUBLIC = join(CLIENT, "public");
/** Public files that the first page loads. The others (icons of an installed page) are asked for by the system. */
const PUBLIC_OF_SHELL = /\.(js|svg|webmanifest)$/;

export function serviceWorker(): Plugin {
  return {
    name: "kolu-service-worker",
    apply: "build",
    buildStart() {
      this.emitFile({ type: "chunk", id: join(CLIENT, "pwa", "service-worker.ts"), fileName: FILE });
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const worker = bundle[FILE];
        if (worker?.type !== "chunk") throw new Error(`${FILE} was not built.`);
        if (worker.imports.length > 0)
          throw new Error(`${FILE} must stand alone, but imports ${worker.imports}.`);
        const files = ["/", ...shellOf(bundle)];
        const version = createHash("sha256").update(worker.code);
        for (const name of Object.keys(bundle).sort()) if (name !== FILE) version.update(name);
        const page = bundle["index.html"];
        if (page?.type === "asset") version.update(page.source);
        for (const name of readdirSync(PUBLIC).sort()) version.update(readFileSync(join(PUBLIC, name)));
        const shell = { version: version.digest("hex").slice(0, 16), files };
        worker.code = `const KOLU_SHELL = ${JSON.stringify(shell)};\n${worker.code}`;
      },
    },
  };
}

type Bundle = Parameters<Extract<NonNullable<Plugin["generateBundle"]>, (...args: never[]) => unknown>>[1];

/** The page's own script with all that it imports at once, their styles, and the public files. */
function shellOf(bundle: Bundle): string[] {
  const scripts = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk" || scripts.has(name)) return;
    scripts.add(name);
    for (const imported of chunk.imports) add(imported);
  };
  for (const [name, chunk] of Object.entries(bundle))
    if (chunk.type === "chunk" && chunk.isEntry && name !== FILE) add(name);
  const styles = [...scripts].flatMap((name) => {
    const chunk = bundle[name];
    return chunk?.type === "chunk" ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
  });
  const open = readdirSync(PUBLIC).filter((name) => PUBLIC_OF_SHELL.test(name));
  return [...new Set([...scripts, ...styles, ...open])].sort().map((name) => `/${name}`);
}

// The published package: everything of ours and of pure JavaScript bundled into dist/, the page and the fonts of pictures
// beside it. node-pty and the canvas stay dependencies, because they carry native code.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { build as buildPage } from "vite";
import { manPage } from "../packages/cli/man.ts";
import { verbs } from "../packages/cli/verb-table.ts";
import { FONT_DIRECTORY, FONT_LIST, findInstalledFonts } from "../packages/picture/font-files.ts";
import { ROOT } from "./run.ts";

const OUTPUT = join(ROOT, "dist");
const BINS = ["kolu", "kaval-tui", "padi-tui"];

/**
 * Files that run in worker threads are entries of their own: `<name>-worker.ts` becomes dist/<name>-worker.mjs, beside
 * whoever starts it, because all code lies flat in dist/.
 */
async function findWorkers(): Promise<string[]> {
  const names = await readdir(join(ROOT, "packages"), { recursive: true });
  return names
    .filter((name) => /-worker\.ts$/.test(name) && !/(^|\/)(node_modules|client|dist|fixtures)\//.test(name))
    .map((name) => join(ROOT, "packages", name));
}

/** zod brings its sentences in fifty languages; ours are English. */
const withoutLocales: Plugin = {
  name: "without-locales",
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

async function bundle(version: string): Promise<Metafile> {
  const workers = await findWorkers();
  const entries = [...BINS.map((name) => join(ROOT, "packages", "cli", "bin", `${name}.js`)), ...workers];
  const { metafile } = await build({
    entryPoints: Object.fromEntries(entries.map((path) => [basename(path).replace(/\.[jt]s$/, ""), path])),
    outdir: OUTPUT,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node24",
    external: ["node-pty", "@napi-rs/canvas"],
    define: { KOLU_BUNDLED_VERSION: JSON.stringify(version) },
    // Bundled CommonJS asks for Node's own modules through require.
    plugins: [withoutLocales],
    banner: {
      js: 'import { createRequire as koluCreateRequire } from "node:module"; const require = koluCreateRequire(import.meta.url);',
    },
    minifySyntax: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}

/** Text files that code reads from beside itself, such as what is injected into shells; in dist/ all lie beside all code. */
async function copyAssets(): Promise<void> {
  for (const name of await readdir(join(ROOT, "packages"), { recursive: true }))
    if (/\.(bash|zsh|fish)$/.test(name) && !/(^|\/)(node_modules|client|fixtures)\//.test(name))
      await cp(join(ROOT, "packages", name), join(OUTPUT, basename(name)));
}

/** The fonts of pictures, with the list by which they are found; resolves with the packages that they are from. */
async function copyFonts(): Promise<Set<string>> {
  const fonts = await findInstalledFonts();
  await mkdir(join(OUTPUT, FONT_DIRECTORY));
  for (const { path } of fonts) await cp(path, join(OUTPUT, FONT_DIRECTORY, basename(path)));
  const list = fonts.map((font) => ({ ...font, path: basename(font.path) }));
  await writeFile(join(OUTPUT, FONT_DIRECTORY, FONT_LIST), JSON.stringify(list));
  return new Set(fonts.map(({ path }) => relative(ROOT, dirname(dirname(path)))));
}

/** The licenses of what is bundled travel with it. */
async function collectLicenses(metafile: Metafile, others: Iterable<string>): Promise<string> {
  const packages = new Set<string>(others);
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]!);
  }
  const texts: string[] = [];
  for (const directory of [...packages].sort()) {
    const name = relative("node_modules", directory);
    texts.push(`${name}\n${"=".repeat(name.length)}\n\n${await readLicense(join(ROOT, directory))}`);
  }
  return texts.join("\n\n");
}

/** A package without a license file of its own (@xterm/headless) has that of its project: a sibling's in the same scope. */
async function readLicense(directory: string): Promise<string> {
  const scope = dirname(directory);
  const siblings = basename(scope).startsWith("@")
    ? (await readdir(scope)).map((name) => join(scope, name))
    : [];
  for (const candidate of [directory, ...siblings]) {
    const file = (await readdir(candidate)).find((name) => /^(licen[cs]e|copying)/i.test(name));
    if (file !== undefined) return readFile(join(candidate, file), "utf8");
  }
  throw new Error(`${directory} is bundled but carries no license.`);
}

const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
await rm(OUTPUT, { recursive: true, force: true });
const metafile = await bundle(version);
await writeFile(join(OUTPUT, "LICENSES.txt"), await collectLicenses(metafile, await copyFonts()));
await copyAssets();
await writeFile(join(OUTPUT, "kolu.1"), manPage(verbs, version));
await buildPage({
  configFile: join(ROOT, "packages", "client", "vite.config.ts"),
  logLevel: "warn",
  build: { outDir: join(OUTPUT, "page"), license: { fileName: "LICENSES.md" } },
});
let bytes = 0;
for (const name of await readdir(OUTPUT, { recursive: true })) {
  const stats = await stat(join(OUTPUT, name));
  if (stats.isFile()) bytes += stats.size;
}
process.stdout.write(`dist/ ${(bytes / 1024 / 1024).toFixed(1)} MB in ${dirname(OUTPUT)}\n`);

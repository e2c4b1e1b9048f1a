// The fonts that pictures are drawn with, as files: in a checkout those of the installed packages, in the published package
// a copy beside the code (tools/build.ts writes it). Never a font of the machine: a picture looks the same everywhere.
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface FontFile {
  path: string;
  /** What it is for: "mono" in four styles, the others in one. */
  role: "mono" | "symbols" | "cjk" | "emoji";
  bold: boolean;
  italic: boolean;
  /** Code points that it may hold, first and last of each range. */
  ranges: [first: number, last: number][];
}

interface FontPackage {
  name: string;
  role: FontFile["role"];
  /** The subset whose one file holds all of it. */
  whole?: string;
  styles: [weight: 400 | 700, slant: "normal" | "italic"][];
}

/** In the order in which a character is looked for. */
const PACKAGES: readonly FontPackage[] = [
  {
    name: "jetbrains-mono",
    role: "mono",
    styles: [
      [400, "normal"],
      [700, "normal"],
      [400, "italic"],
      [700, "italic"],
    ],
  },
  { name: "noto-sans-symbols-2", role: "symbols", styles: [[400, "normal"]] },
  { name: "noto-sans-symbols", role: "symbols", styles: [[400, "normal"]] },
  { name: "noto-sans-math", role: "symbols", styles: [[400, "normal"]] },
  { name: "noto-sans-sc", role: "cjk", styles: [[400, "normal"]] },
  { name: "noto-sans-kr", role: "cjk", styles: [[400, "normal"]] },
  // Its slices (5.3.2) draw by an SVG table alone, which the canvas does not read; the whole file has COLR beside it.
  { name: "noto-color-emoji", role: "emoji", styles: [[400, "normal"]], whole: "emoji" },
];

/** The published package holds the files in this directory beside the code, with a list of them. */
export const FONT_DIRECTORY = "fonts";
export const FONT_LIST = "fonts.json";

/** Rejects when a package of fonts is missing: a picture full of empty boxes would be worse than none. */
export async function findFontFiles(): Promise<FontFile[]> {
  const published = join(dirname(fileURLToPath(import.meta.url)), FONT_DIRECTORY);
  const list = await readFile(join(published, FONT_LIST), "utf8").catch(() => null);
  if (list === null) return findInstalledFonts();
  return (JSON.parse(list) as FontFile[]).map((file) => ({ ...file, path: join(published, file.path) }));
}

/** Those of the packages in node_modules; for a checkout, and for the build that copies them. */
export async function findInstalledFonts(): Promise<FontFile[]> {
  const { resolve } = createRequire(import.meta.url);
  const found: FontFile[] = [];
  for (const { name, role, styles, whole } of PACKAGES) {
    const home = dirname(resolve(`@fontsource/${name}/package.json`));
    const ranges = JSON.parse(readFileSync(join(home, "unicode.json"), "utf8")) as Record<string, string>;
    const subsets = whole === undefined ? ranges : { [whole]: Object.values(ranges).join(",") };
    const present = new Set(await readdir(join(home, "files")));
    for (const [weight, slant] of styles)
      for (const [subset, covered] of Object.entries(subsets)) {
        // "[4]" is the fourth slice of a large font; its file says 4.
        const file = `${name}-${subset.replaceAll(/[[\]]/g, "")}-${weight}-${slant}.woff2`;
        if (!present.has(file)) continue;
        const path = join(home, "files", file);
        const style = { bold: weight === 700, italic: slant === "italic" };
        found.push({ path, role, ...style, ranges: parseRanges(covered) });
      }
  }
  return found;
}

/** CSS's unicode-range: "U+0000-00FF,U+0131,U+4??". Pure. */
export function parseRanges(text: string): [number, number][] {
  return text.split(",").map((part) => {
    const [first = "", last = first] = part.trim().replace(/^U\+/i, "").split("-");
    return [Number.parseInt(first.replaceAll("?", "0"), 16), Number.parseInt(last.replaceAll("?", "F"), 16)];
  });
}

// The icons of an installed page, drawn from the one mark (packages/client/public/icon.svg) by the browser itself.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBrowser } from "../browser.ts";

interface IconSize {
  file: string;
  sizePx: number;
  /** How much of the icon the mark takes. Systems cut a maskable icon to a circle of 80 %, and round Apple's themselves. */
  share: number;
  /** Painted to its edges. */
  full: boolean;
}

const ICONS: readonly IconSize[] = [
  { file: "icon-192.png", sizePx: 192, share: 1, full: false },
  { file: "icon-512.png", sizePx: 512, share: 1, full: false },
  { file: "icon-maskable-512.png", sizePx: 512, share: 0.8, full: true },
  { file: "icon-apple-180.png", sizePx: 180, share: 0.94, full: true },
];

/** The ground of the mark. */
const GROUND = "#1a1b1f";

/** Writes the icons beside the mark. */
export async function drawIcons(directory: string, say: (line: string) => void): Promise<void> {
  const mark = await readFile(join(directory, "icon.svg"), "utf8");
  await using browser = await startBrowser();
  for (const { file, sizePx, share, full } of ICONS) {
    await using visitor = await browser.newVisitor({ width: sizePx, height: sizePx });
    const style = `margin:0;height:100vh;display:grid;place-items:center;background:${full ? GROUND : "transparent"}`;
    const sized = mark.replace("<svg ", `<svg width="${sizePx * share}" height="${sizePx * share}" `);
    await visitor.page.setContent(`<body style="${style}">${sized}</body>`);
    await writeFile(join(directory, file), await visitor.page.screenshot({ omitBackground: true }));
    say(file);
  }
}

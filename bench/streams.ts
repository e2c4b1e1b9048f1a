// Deterministic terminal output like that of twenty agents: repaints of TUIs, coloured logs, plain text, wide characters.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";

const ESC = "\x1b[";
const WORDS =
  "the quick build server compiled src/lib/parser.ts in 42ms with warning error info DEBUG terminal agent thinking tool result function return const await import export class interface packages node_modules test passed failed skipped".split(
    " ",
  );
const WIDE = [
  "日本語テキスト",
  "中文字符测试",
  "한국어 문자",
  "🚀",
  "👩‍👩‍👧‍👦",
  "🇯🇵",
  "✅",
  "❤️",
  "naïve café",
  "Ωμέγα",
  "привет мир",
  "──┬──",
  "👍🏽",
];

/** A small linear congruential generator: the same stream on every machine and in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

function lineMaker(seed: number): () => string {
  const random = createRandom(seed);
  const words = (count: number): string =>
    Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(" ");
  const plain = (): string => `${words(3 + random(14))}\r\n`;
  const colored = (): string => {
    let line = "";
    for (let left = 6 + random(8); left > 0; left--) {
      const color = [
        `${ESC}1;3${random(8)}m`,
        `${ESC}38;5;${random(256)}m`,
        `${ESC}38;2;${random(256)};${random(256)};${random(256)}m`,
        `${ESC}48;5;${random(256)}m${ESC}4m`,
      ][random(4)];
      line += `${color}${WORDS[random(WORDS.length)]}${ESC}0m `;
    }
    return `${line}\r\n`;
  };
  const repaint = (): string => {
    let frame = `${ESC}?2026h${ESC}?25l`;
    if (random(3) === 0) {
      frame += `${ESC}8A`;
      for (let row = 0; row < 8; row++)
        frame += `${ESC}2K${ESC}1G${ESC}38;2;215;119;87m│${ESC}39m ${ESC}1m${words(4 + random(6))}${ESC}22m${ESC}K\r\n`;
    } else {
      for (let spot = 0; spot < 10; spot++)
        frame += `${ESC}${1 + random(40)};${1 + random(100)}H${ESC}3${random(8)}m${words(1 + random(4))}${ESC}0m${ESC}K`;
    }
    const status = `✻ ${words(2)}… (${random(99)}s · ↑ ${random(9)}.${random(9)}k tokens)`;
    return `${frame}${ESC}40;1H${ESC}2m${status}${ESC}22m${ESC}?25h${ESC}?2026l${ESC}40;1H\r\n`;
  };
  const wide = (): string =>
    `${Array.from({ length: 5 + random(8) }, () => WIDE[random(WIDE.length)]).join(" ")}\r\n`;
  return () => {
    const kind = random(20);
    if (kind < 8) return repaint();
    if (kind < 14) return colored();
    return kind < 19 ? plain() : wide();
  };
}

/** Writes about `megabytes` of the mixed stream to a file; resolves with its exact size in bytes. */
export async function writeMixedStream(path: string, megabytes: number): Promise<number> {
  const line = lineMaker(12345);
  const out = createWriteStream(path);
  let written = 0;
  while (written < megabytes * 1e6) {
    let block = "";
    while (block.length < 256 * 1024) block += line();
    written += Buffer.byteLength(block);
    if (!out.write(block)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
  return (await stat(path)).size;
}

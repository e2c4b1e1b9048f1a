// Device queries that the emulator answers wrongly or not at all. The others (DA1, DA2, DSR, DECRQM) are its own. Window
// reports, palette queries (OSC 4) and clipboard reads (OSC 52) stay silent on purpose.
import type { Engine } from "./engine.ts";
import { defaultPen, penOf, sgrParameters } from "./row.ts";

const CURSOR_STYLES = { block: 2, underline: 4, bar: 6 };

export function answerQueries(engine: Engine, version: string, reply: (text: string) => void): void {
  const { parser } = engine.terminal;

  // XTVERSION.
  parser.registerCsiHandler({ prefix: ">", final: "q" }, (parameters) => {
    if ((parameters[0] ?? 0) === 0) reply(`\x1bP>|kolu(${version})\x1b\\`);
    return true;
  });

  // DECRQSS: the emulator says "0m" whatever the pen is, and its option instead of the cursor style that was set.
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, (request) => {
    if (request === "m") {
      const pen = penOf(engine.core._inputHandler._curAttrData);
      reply(`\x1bP1$r${["0", ...sgrParameters(defaultPen(), pen)].join(";")}m\x1b\\`);
      return true;
    }
    if (request === " q") {
      const { cursorStyle, cursorBlink } = engine.core.coreService.decPrivateModes;
      reply(`\x1bP1$r${CURSOR_STYLES[cursorStyle ?? "block"] - (cursorBlink ? 1 : 0)} q\x1b\\`);
      return true;
    }
    return false;
  });
}

// A program for tests: writes its argument's bytes to the terminal, then everything that it is sent into a file.
//   node capture.mjs <file> [text to print, with \e for ESC]
// The file <file>.ready appears when it listens. Ctrl+\ ends it.
import { appendFileSync, writeFileSync } from "node:fs";

const [file, print = ""] = process.argv.slice(2);
writeFileSync(file, "");
process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => {
  if (bytes.includes(0x1c)) process.exit(0);
  appendFileSync(file, bytes);
});
process.stdout.write(print.replaceAll("\\e", "\x1b"), () => writeFileSync(`${file}.ready`, ""));

import { say } from "../canvas/notices.ts";
import { copyText } from "../terminal/copy.ts";

/** A command for a person to paste; where the browser does not let the page copy, it is said to be typed. */
export async function copyLine(line: string): Promise<void> {
  try {
    await copyText(line);
    say("Copied.");
  } catch {
    say(`The browser does not let this page copy. The command: ${line}`);
  }
}

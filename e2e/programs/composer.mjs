// A program with a composer like Claude Code's, for tests of prompting: it draws what 2.1.332 draws and writes the status
// file that 2.1.332 writes, takes pastes and Enters as late as it is told, loses Enters, and logs every prompt that it took.
//
//   composer.mjs '{"log":"/path","pasteMs":10,"enterMs":10,"loses":0,"turnMs":100}'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { log, pasteMs, enterMs, loses, turnMs } = JSON.parse(process.argv[2]);
const FOLDED_FROM_BREAKS = 3;
const sessions = join(process.env.HOME, ".claude", "sessions");
const startedAt = Date.now();
const stat = readFileSync("/proc/self/stat", "utf8");
const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
let draft = "";
let entersLost = 0;

function report(status) {
  const file = {
    pid: process.pid,
    sessionId: `session-${process.pid}`,
    cwd: process.cwd(),
    startedAt,
    procStart,
  };
  const text = JSON.stringify({ ...file, version: "2.1.332", status, statusUpdatedAt: Date.now() });
  writeFileSync(join(sessions, `${process.pid}.json`), text);
}

function draw() {
  const rule = "─".repeat(process.stdout.columns ?? 80);
  const breaks = draft.split("\n").length - 1;
  const shown =
    breaks >= FOLDED_FROM_BREAKS ? `[Pasted text #1 +${breaks} lines]` : draft.replaceAll("\n", "\r\n  ");
  process.stdout.write(`\x1b[H\x1b[2J● ready\r\n${rule}\r\n❯\u00a0${shown}\r\n${rule}\r\n  ⏸ manual mode on`);
}

async function submit() {
  if (entersLost < loses || draft.includes("DEAF")) {
    entersLost += 1;
    return;
  }
  entersLost = 0;
  appendFileSync(log, `${JSON.stringify(draft)}\n`);
  draft = "";
  report("busy");
  draw();
  await sleep(turnMs);
  report("idle");
}

async function handle(text) {
  const paste = /^\x1b\[200~([\s\S]*?)\x1b\[201~/.exec(text);
  if (paste) {
    await sleep(pasteMs);
    draft += paste[1].replaceAll("\r", "\n");
    draw();
    return handleRest(text.slice(paste[0].length));
  }
  if (text.startsWith("\x1b[200~")) return text;
  const [key] = text;
  if (key === "\r") {
    await sleep(enterMs);
    await submit();
  } else if (key === "\x15") draft = "";
  else draft += key;
  draw();
  return handleRest(text.slice(1));
}

/** What is not whole yet is given back. */
function handleRest(text) {
  return text === "" ? "" : handle(text);
}

mkdirSync(sessions, { recursive: true });
process.stdin.setRawMode(true).setEncoding("utf8");
report("idle");
draw();
let pending = "";
let handling = Promise.resolve();
process.stdin.on("data", (chunk) => {
  handling = handling.then(async () => {
    pending = await handleRest(pending + chunk);
  });
});

// Listening sockets on macOS: lsof names the process along with each. Not run on a Mac by us yet; the parser is tested over
// output as lsof's manual describes it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ListeningFacts, ListeningSocket } from "./listening.ts";
import type { Visible } from "./process-tree.ts";

const ENV = { LC_ALL: "C", PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };
const ARGS = ["-n", "-P", "-w", "-a", "-iTCP", "-sTCP:LISTEN", "-F", "ptdn"];

export interface HeldSocket extends ListeningSocket {
  pid: number;
}

export function macListening(): ListeningFacts {
  let last: HeldSocket[] = [];
  return {
    async sockets() {
      const listed = await list(["-u", String(process.getuid?.() ?? 0), ...ARGS]);
      if (listed.kind === "hidden") return listed;
      last = parseSockets(listed.value);
      return { kind: "known", value: last };
    },
    // The list that named the sockets named their processes.
    async holders(keys) {
      return new Map(last.filter(({ key }) => keys.has(key)).map(({ key, pid }) => [key, pid]));
    },
  };
}

async function list(args: string[]): Promise<Visible<string>> {
  try {
    const { stdout } = await promisify(execFile)("lsof", args, { env: ENV, maxBuffer: 8 * 1024 * 1024 });
    return { kind: "known", value: stdout };
  } catch (cause) {
    const { code, stdout, stderr } = cause as { code?: unknown; stdout?: string; stderr?: string };
    // It ends with 1 and says nothing when nothing listens.
    if (code === 1 && stderr === "") return { kind: "known", value: stdout ?? "" };
    return { kind: "hidden", reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Output of `lsof -F ptdn`: `p<pid>`, then for each file `f<descriptor>`, `t<IPv4|IPv6>`, `d<device>` and `n<address>:<port>`. */
export function parseSockets(text: string): HeldSocket[] {
  const sockets = new Map<string, HeldSocket>();
  let pid = 0;
  let family: "v4" | "v6" = "v4";
  let device = "";
  for (const line of text.split("\n")) {
    const value = line.slice(1);
    switch (line[0]) {
      case "p":
        pid = Number(value);
        break;
      case "f":
        device = "";
        break;
      case "t":
        family = value === "IPv6" ? "v6" : "v4";
        break;
      case "d":
        device = value;
        break;
      case "n": {
        const found = socketOf(value, family);
        if (found === null) break;
        const key = `${device}/${value}`;
        // Processes that share a socket: the oldest, which lsof lists first, holds it.
        if (!sockets.has(key)) sockets.set(key, { ...found, key, pid });
        break;
      }
    }
  }
  return [...sockets.values()];
}

function socketOf(name: string, family: "v4" | "v6"): Omit<ListeningSocket, "key"> | null {
  const match = name.match(/^(.*):(\d+)$/);
  if (match === null) return null;
  const address = match[1]!.replace(/^\[(.*)\]$/, "$1");
  const any = family === "v4" ? "0.0.0.0" : "::";
  return { address: address === "*" ? any : address, port: Number(match[2]), family };
}

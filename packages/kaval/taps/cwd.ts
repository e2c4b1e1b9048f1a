// OSC 7: the working directory, as a file URL that names the host.
import { hasControls } from "./text.ts";

/** Longer than any path that a system takes. */
const PATH_MAX_BYTES = 4_096;

/** The absolute path, or null when it is none, or one on another host: ssh sessions report theirs. */
export function parseCwd(payload: string, hostname: string): string | null {
  const match = /^file:\/\/([^/]*)(\/.*)$/s.exec(payload);
  if (!match || !isLocal(match[1]!, hostname)) return null;
  let path: string;
  try {
    path = decodeURIComponent(match[2]!);
  } catch {
    // A % that begins no byte, or bytes that are no UTF-8: shells that do not encode write such paths as they are.
    path = match[2]!;
  }
  if (hasControls(path) || Buffer.byteLength(path) > PATH_MAX_BYTES) return null;
  return path;
}

function isLocal(host: string, hostname: string): boolean {
  const name = host.toLowerCase();
  const own = hostname.toLowerCase();
  return name === "" || name === "localhost" || name === own || name === own.split(".")[0];
}

// TCP sockets that listen, behind one interface; who holds them, and what a system hides, as with process facts. The
// sources are listening-linux.ts and listening-mac.ts.
import { linuxListening } from "./listening-linux.ts";
import { macListening } from "./listening-mac.ts";
import type { Visible } from "./process-tree.ts";

export interface ListeningSocket {
  /** Opaque and stable for one socket: another one on the same port later has another. */
  key: string;
  /** Such as 127.0.0.1, 0.0.0.0, ::1. */
  address: string;
  port: number;
  family: "v4" | "v6";
}

export interface ListeningFacts {
  /** Every listening socket of our own user that can be seen. Cheap. Never rejects. */
  sockets(): Promise<Visible<ListeningSocket[]>>;
  /**
   * The process behind each of these sockets, by key; a socket whose holder is hidden is left out. On Linux every process
   * of ours is looked through, so ask about new sockets only. Never rejects.
   */
  holders(keys: ReadonlySet<string>): Promise<Map<string, number>>;
}

export function listeningFacts(platform: NodeJS.Platform = process.platform): ListeningFacts {
  return platform === "darwin" ? macListening() : linuxListening();
}

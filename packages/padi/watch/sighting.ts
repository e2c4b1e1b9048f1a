// One look at one terminal, as a watch judges it.
import type { Bucket } from "@kolu/contract/agent.ts";
import type { AttentionClass } from "../attention/attention.ts";

export interface Sighting {
  /** Its process lives. A record that is only kept for restore or for its last screen is gone for whoever waits on it. */
  live: boolean;
  /** What its agent, or a program that reports in band, is doing; null when that is not known. */
  standing: { bucket: Bucket; sinceMs: number } | null;
  attention: AttentionClass;
  /**
   * False after a start of padi until the terminal's first reading: that nothing is known says nothing, and whether the
   * state that is found then is the old one, only its beginning can tell.
   */
  seenBefore: boolean;
}

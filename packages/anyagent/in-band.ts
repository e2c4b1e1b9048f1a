// What a program says about itself in band (OSC 7501), as a claim about an agent's state. Pure.
import { type ProgramRecord, rollUp } from "@kolu/contract/program-status.ts";
import type { Claim } from "./believe.ts";

/** The claim of an agent's own records, null when it does not report. The root record speaks; a blocked child speaks
 * louder than an idle root, and a working child means background work. */
export function inBandClaim(records: readonly ProgramRecord[]): Claim | null {
  const root = records.find((record) => record.id === "");
  const loudest = rollUp(records);
  if (loudest === null) return null;
  const speaker = root === undefined || loudest.state === "blocked" ? loudest : root;
  const children = records.filter((record) => record.id !== "" && record.state === "working");
  const claim: Claim = {
    ...sayOf(speaker),
    source: "in-band",
    atMs: speaker.updatedAtMs,
    value: wordsOf(records),
  };
  if (claim.state === "waiting" && children.length > 0 && speaker.state !== "error") {
    return { ...claim, state: "background" };
  }
  return claim;
}

function sayOf(record: ProgramRecord): Pick<Claim, "state" | "coarse" | "awaiting"> {
  switch (record.state) {
    case "working":
      return { state: "thinking", coarse: true };
    case "blocked":
      return { state: "awaiting", awaiting: { kind: record.kind ?? "question", message: record.message } };
    case "idle":
    case "done":
    case "error":
      return { state: "waiting" };
    default:
      return record.state satisfies never;
  }
}

/** As the program wrote it, more or less: "state=blocked:kind=permission; deploy/us: state=working". */
function wordsOf(records: readonly ProgramRecord[]): string {
  return records
    .map((record) => {
      const kind = record.kind === null ? "" : `:kind=${record.kind}`;
      return `${record.id === "" ? "" : `${record.id}: `}state=${record.state}${kind}`;
    })
    .join("; ");
}

/** Splits a terminal's records into those of an agent (by its app names) and all others. */
export function splitByApp(
  records: readonly ProgramRecord[],
  apps: readonly string[],
): { own: ProgramRecord[]; others: ProgramRecord[] } {
  const isOwn = (record: ProgramRecord) => record.app !== null && apps.includes(record.app);
  return { own: records.filter(isOwn), others: records.filter((record) => !isOwn(record)) };
}

// `kolu watch` as a tail: every change of every terminal, as it happens.
import { shortId } from "@kolu/contract/ids.ts";
import { applyFrame } from "@kolu/contract/live-view.ts";
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { nameAgent } from "./agent-names.ts";
import { type Change, findChanges } from "./changes.ts";
import { Exit, type ExitCode, Failure } from "./exit.ts";
import type { PadiLink } from "./padi-link.ts";
import { agentCell, repoCell, stateCell } from "./record-cells.ts";
import { withStandingLink } from "./standing-link.ts";
import type { Watching } from "./supervision.ts";
import { clockTime } from "./text.ts";
import type { Context } from "./verb-spec.ts";

type Rows = ReadonlyMap<string, TerminalRecord>;

/** Owns the link. Resolves when the one terminal is gone. */
export async function tellChanges(link: PadiLink, watching: Watching, context: Context): Promise<ExitCode> {
  const { only, flags } = watching;
  const muted = new Set<string>(watching.ignoreIds);
  const tell = flags.json ? tellJson : lineTeller();
  let known: Rows = new Map();
  let since: { boot: string; revision: number } | undefined;

  return withStandingLink(link, context, async ({ client }: PadiLink) => {
    for await (const frame of client.subscribe("terminals.watch", { since }, { signal: context.signal })) {
      const boot = frame.kind === "snapshot" ? frame.boot : (since?.boot ?? "");
      since = { boot, revision: frame.revision };
      const next = applyFrame(known, frame);
      for (const change of findChanges(known, next)) {
        if ((only !== null && change.id !== only) || muted.has(change.id)) continue;
        tell(change, context);
        if (change.kind === "removed" && only !== null) return Exit.gone;
      }
      known = next;
      if (only !== null && !known.has(only)) return Exit.gone;
    }
    throw new Failure("padi ended the feed.");
  });
}

function tellJson(change: Change, { out }: Context): void {
  out.ndjson(asEvent(change));
}

function asEvent(change: Change): Record<string, unknown> {
  switch (change.kind) {
    case "record": {
      const { record } = change;
      return { kind: "terminal", live: record.life === "active", ...record };
    }
    case "activity":
      return { kind: "activity", id: change.id, activity: change.busy };
    case "removed":
      return { kind: "removed", id: change.id };
    default:
      return change satisfies never;
  }
}

/** A record that changed in nothing that the line shows is not worth the same line again. */
function lineTeller(): (change: Change, context: Context) => void {
  const told = new Map<string, string>();
  return (change, { out }) => {
    const cells = cellsOf(change);
    const words = cells.join("  ");
    if (told.get(change.id) === words) return;
    if (change.kind === "removed") told.delete(change.id);
    else told.set(change.id, words);
    out.row([clockTime(Date.now()), shortId(change.id), ...cells]);
  };
}

function cellsOf(change: Change): string[] {
  switch (change.kind) {
    case "record": {
      const { record } = change;
      const cells = [stateCell(record), repoCell(record), agentCell(record, nameAgent)];
      return record.busy ? [...cells, "●"] : cells;
    }
    case "activity":
      return [change.busy ? "● busy" : "○ idle"];
    case "removed":
      return ["(gone)"];
    default:
      return change satisfies never;
  }
}

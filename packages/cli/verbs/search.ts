import { styleText } from "node:util";
import { shortId } from "@kolu/contract/ids.ts";
import type { SearchHit } from "@kolu/contract/search.ts";
import type { Invocation } from "../arguments.ts";
import { Exit, type ExitCode, UsageError } from "../exit.ts";
import { openPadi, resolveId } from "../padi-link.ts";
import { neutralise } from "../text.ts";
import type { Context } from "../verb-spec.ts";
import type { searchFlags } from "../verb-table-driving.ts";

export async function run(invocation: Invocation<typeof searchFlags>, context: Context): Promise<ExitCode> {
  const { out, signal } = context;
  const { id: typed, limit, json } = invocation.flags;
  const query = invocation.operands.join(" ");
  if (query.trim() === "") throw new UsageError("The text is blank. Is a shell variable unset?");
  await using link = await openPadi(invocation, context);
  const ids = await Promise.all(typed.map((word) => resolveId(link, word, signal)));
  const params = {
    query,
    transcripts: true,
    ...(ids.length > 0 ? { ids } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
  const result = await link.client.call("search.text", params, { signal });
  if (json) out.json(result);
  else for (const hit of result.hits) out.line(lineOf(hit, out.colour));
  for (const { id, reason } of result.unread) out.say(`${shortId(id)} could not be read: ${reason}`);
  if (result.truncated) out.say(`there is more: these are the newest ${result.hits.length}`);
  else if (result.hits.length === 0) out.say("nothing found");
  return Exit.done;
}

/** "<short id>  <lines above the last, or #item>  <text>"; whole, because a reader may look for more than fits. */
function lineOf(hit: SearchHit, colour: boolean): string {
  const { text, matchStart, matchLength } = hit;
  const end = matchStart + matchLength;
  const match = neutralise(text.slice(matchStart, end));
  const shown = colour ? styleText("bold", match, { validateStream: false }) : match;
  const line = `${neutralise(text.slice(0, matchStart))}${shown}${neutralise(text.slice(end))}`;
  return `${shortId(hit.id)}  ${placeOf(hit).padStart(5)}  ${line.trimEnd()}`;
}

function placeOf(hit: SearchHit): string {
  return hit.where === "transcript" ? `#${hit.item}` : String(hit.linesFromEnd);
}

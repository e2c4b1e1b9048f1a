// Arriving by a link that names a terminal, and perhaps a line of a file: `/t/<id>?file=<path>&line=<n>`.
import { type DeepLink, parseDeepLink } from "@kolu/contract/deep-link.ts";
import { matchPrefix } from "@kolu/contract/ids.ts";
import { HOST_HEADER, SESSION_PATH } from "@kolu/contract/web.ts";
import { say } from "../canvas/notices.ts";
import { openCode } from "../panel/code-open.ts";
import { useWorkspace } from "../store/workspace.ts";
import { goTo } from "./navigate.ts";

/** Goes there once the page knows what there is, or says why not. */
export function arriveAtLink(): void {
  const link = parseDeepLink(location.pathname + location.search);
  if (!link) return;
  // A reload should not take the page back to where it arrived.
  history.replaceState(null, "", "/");
  const arrive = (): void => void arriveAt(link);
  if (useWorkspace.getState().told.records) {
    arrive();
    return;
  }
  const stop = useWorkspace.subscribe(({ told }) => {
    if (!told.records) return;
    stop();
    // The canvas lays the terminals out first.
    requestAnimationFrame(arrive);
  });
}

async function arriveAt({ terminal, host, file, line }: DeepLink): Promise<void> {
  if (host !== null && !(await isThisHost(host))) {
    say(
      `That link leads to a terminal on ${host}. This page shows another machine: open the page of ${host}.`,
    );
    return;
  }
  const match = matchPrefix(terminal, useWorkspace.getState().records.keys());
  switch (match.kind) {
    case "found":
      goTo(match.id);
      if (file !== null) openCode(match.id, file, line);
      return;
    case "none":
      say(`That link leads to the terminal ${terminal}, which is not here (any more).`);
      return;
    case "ambiguous":
      say(
        `${match.ids.length} terminals begin with ${terminal}: the link is too short to tell which is meant.`,
      );
      return;
    default:
      match satisfies never;
  }
}

async function isThisHost(host: string): Promise<boolean> {
  const wanted = host.toLowerCase();
  if (wanted === location.hostname) return true;
  const answer = await fetch(SESSION_PATH, { cache: "no-store" }).catch(() => null);
  return answer?.headers.get(HOST_HEADER)?.toLowerCase() === wanted;
}

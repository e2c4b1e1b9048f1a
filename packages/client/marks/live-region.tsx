import { type JSX, useEffect, useState } from "react";
import { useWorkspace } from "../store/workspace.ts";
import { announcements } from "./announcements.ts";

/** Says "<name> needs you" and "<name> finished" to screen readers, politely. */
export function LiveRegion(): JSX.Element {
  const [words, setWords] = useState("");
  useEffect(
    () =>
      useWorkspace.subscribe((now, before) => {
        if (now.records === before.records) return;
        const said = announcements(before.records, now.records);
        if (said.length > 0) setWords(said.map(({ words }) => words).join(". "));
      }),
    [],
  );
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {words}
    </div>
  );
}

// What changes much of the workspace at once. padi makes a backup of the moment before each; its notice offers the way back.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import type { BroughtIn } from "@kolu/contract/workspace.ts";
import { say, sayFailure } from "../canvas/notices.ts";
import { padi } from "../store/workspace.ts";
import { download } from "../tile/download.ts";

type Id = TerminalRecord["id"];

export async function startFresh(ids: readonly Id[]): Promise<void> {
  try {
    const { snapshot, forgot } = await padi().call("workspace.startFresh", { ids: [...ids] });
    say(`${terminals(forgot.length)} forgotten. The backup of before is kept.`, {
      label: "Undo",
      run: () => void takeBack({ snapshot, added: [] }),
    });
  } catch (error) {
    sayFailure("Nothing was forgotten")(error);
  }
}

export async function restoreBackup(name: string): Promise<void> {
  try {
    const done = await padi().call("backups.restore", { name });
    say(`${broughtWords(done)} What runs goes on.`, { label: "Undo", run: () => void takeBack(done) });
  } catch (error) {
    sayFailure("The backup could not be restored")(error);
  }
}

export async function importWorkspace(file: File): Promise<void> {
  try {
    const done = await padi().call("workspace.import", { text: await file.text() });
    say(`${broughtWords(done)} New ones are asleep: wake those that you want.`, {
      label: "Undo",
      run: () => void takeBack(done),
    });
  } catch (error) {
    sayFailure("Nothing was imported")(error);
  }
}

export async function exportWorkspace(): Promise<void> {
  try {
    const file = await padi().call("workspace.export", {});
    const day = new Date(file.exportedAtMs).toISOString().slice(0, 10);
    const text = JSON.stringify(file, null, 2);
    download(new Blob([text], { type: "application/json" }), `kolu-workspace-${day}.json`);
  } catch (error) {
    sayFailure("The workspace could not be exported")(error);
  }
}

async function takeBack({ snapshot, added }: Pick<BroughtIn, "snapshot" | "added">): Promise<void> {
  try {
    await padi().call("backups.restore", { name: snapshot, forget: added });
    say("It is as it was before.");
  } catch (error) {
    sayFailure("It could not be taken back")(error);
  }
}

/** Pure. */
export function broughtWords({ added, present }: Pick<BroughtIn, "added" | "present">): string {
  if (added.length === 0 && present.length === 0) return "There was no terminal in it.";
  if (added.length === 0) return `${terminals(present.length)} here already, none added.`;
  const rest = present.length === 0 ? "" : `, ${present.length} here already`;
  return `${terminals(added.length)} added${rest}.`;
}

function terminals(count: number): string {
  return count === 1 ? "One terminal" : `${count} terminals`;
}

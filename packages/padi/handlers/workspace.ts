// The workspace as a whole: backups, starting fresh, export and import.
import type { TerminalId } from "@kolu/contract/ids.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { Log } from "@kolu/daemon/log.ts";
import type { PadiDb } from "../db/db.ts";
import type { RecentsBook } from "../launch/recents.ts";
import { mergeBackup, mergeFile, type Newcomer } from "../terminals/bring-in.ts";
import type { Follow } from "../terminals/follow.ts";
import { change } from "../terminals/record.ts";
import type { TerminalStore } from "../terminals/store.ts";
import { parseFile, toFile } from "../terminals/workspace-file.ts";

export interface WorkspaceWorld {
  db: PadiDb;
  recents: RecentsBook;
  store: TerminalStore;
  follow: Follow;
  shareableCommand(agentKind: string, line: string): string | null;
  log: Log;
  now(): number;
}

type WorkspaceHandlers = Pick<
  Handlers<PadiContract>,
  "backups.list" | "backups.restore" | "workspace.startFresh" | "workspace.export" | "workspace.import"
>;

export function workspaceHandlers(world: WorkspaceWorld): WorkspaceHandlers {
  const { db, recents, store, follow, log, now } = world;

  /** A backup of this very moment; its name. */
  function snapshot(): string {
    store.commit();
    db.backUp(now());
    return db.listBackups()[0]!.name;
  }

  function insert(newcomers: readonly Newcomer[]): TerminalId[] {
    for (const { record, known } of newcomers) {
      store.insert(record);
      store.know(record.id, known);
    }
    return newcomers.map(({ record }) => record.id);
  }

  /** Those without a process; the others are left alone. */
  function forget(ids: readonly TerminalId[]): TerminalId[] {
    const dead = ids.filter((id) => {
      const life = store.get(id)?.life;
      return life !== undefined && life !== "active";
    });
    for (const id of dead) follow.forgetLater(id);
    return dead;
  }

  return {
    "backups.list": () => ({ backups: db.listBackups() }),
    "backups.restore"({ name, forget: unwanted = [] }) {
      // Read before the snapshot is made, which may push it out of the ring.
      const backup = db.readBackup(name);
      const before = snapshot();
      forget(unwanted);
      const { newcomers, arranged } = mergeBackup(store.map(), backup, now());
      const added = insert(newcomers);
      for (const { id, changes } of arranged) store.update(id, (record) => change(record, changes), "now");
      store.commit();
      log.info(`restored ${name}: ${added.length} terminals came back; before: ${before}`);
      return { snapshot: before, added, present: arranged.map(({ id }) => id) };
    },
    "workspace.startFresh"({ ids }) {
      const before = snapshot();
      const forgot = forget(ids);
      store.commit();
      log.info(`forgot ${forgot.length} terminals; before: ${before}`);
      return { snapshot: before, forgot };
    },
    "workspace.export": () =>
      toFile(
        {
          records: store.all(),
          ...recents.view.read(),
          agentCommand: store.agentCommand,
          shareableCommand: world.shareableCommand,
        },
        now(),
      ),
    "workspace.import"({ text }) {
      const file = parseFile(text);
      const before = snapshot();
      const newcomers = mergeFile(store.map(), file, now());
      const added = insert(newcomers);
      const present = file.terminals.map(({ id }) => id).filter((id) => !added.includes(id));
      const { repos, agents } = recents.view.read();
      for (const repo of file.repos) if (!repos.some(({ root }) => root === repo.root)) recents.putRepo(repo);
      for (const agent of file.agents)
        if (!agents.some(({ command }) => command === agent.command)) recents.putAgent(agent);
      store.commit();
      log.info(`imported ${added.length} terminals; before: ${before}`);
      return { snapshot: before, added, present };
    },
  };
}

// The screens on disk: written while they change, read by the next kaval, removed with their terminal.
import { TerminalId } from "@kolu/contract/ids.ts";
import type { Log } from "@kolu/daemon/log.ts";
import { DamagedCheckpoint, listCheckpoints, removeCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { type CheckpointSchedule, createCheckpointSchedule } from "./checkpoint-schedule.ts";
import { SavedTerminal } from "./saved.ts";
import type { Checkpoint, Screens } from "./screens.ts";

export class SavedScreens {
  #directory: string;
  #screens: Screens;
  #log: Log;
  #schedule: CheckpointSchedule;

  /** `take` answers with the screen of a terminal as it is now, or null when it is gone. */
  constructor(
    directory: string,
    screens: Screens,
    log: Log,
    take: (id: string) => Promise<Checkpoint> | null,
  ) {
    this.#directory = directory;
    this.#screens = screens;
    this.#log = log;
    this.#schedule = createCheckpointSchedule({
      write: async (id) => {
        const taken = take(id);
        if (taken) await writeCheckpoint(directory, id, await taken);
      },
      onFault: (error) => log.error("a screen could not be saved", error),
    });
  }

  /** What earlier kavals left. A file that cannot be read is set aside and logged, and costs only itself. */
  async load(): Promise<SavedTerminal[]> {
    const found: SavedTerminal[] = [];
    for (const listed of await listCheckpoints(this.#directory)) {
      if (listed instanceof DamagedCheckpoint) {
        this.#log.error("a saved screen cannot be read", listed);
        continue;
      }
      const id = TerminalId.safeParse(listed.id);
      if (id.success) found.push(new SavedTerminal(id.data, listed, this.#directory, this.#screens));
    }
    return found;
  }

  /** The screen differs from what is on disk. */
  changed(id: TerminalId): void {
    this.#schedule.dirty(id);
  }

  /** Writes every changed screen now; answers how many. */
  flush(): Promise<number> {
    return this.#schedule.flush();
  }

  /** Writes this screen down as the last one of its terminal; nothing that was under way writes over it. */
  async keep(id: TerminalId, screen: Checkpoint): Promise<SavedTerminal> {
    await this.#schedule.forget(id);
    await writeCheckpoint(this.#directory, id, screen);
    return new SavedTerminal(id, screen, this.#directory, this.#screens);
  }

  async remove(id: TerminalId): Promise<void> {
    await this.#schedule.forget(id);
    await removeCheckpoint(this.#directory, id);
  }
}

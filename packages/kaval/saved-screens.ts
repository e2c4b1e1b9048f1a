// The screens on disk: written while they change, read by the next kaval, removed with their terminal.
import { TerminalId } from "@kolu/contract/ids.ts";
import type { Log } from "@kolu/daemon/log.ts";
import {
  type CheckpointSchedule,
  createCheckpointSchedule,
  listCheckpoints,
  readCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
} from "./checkpoint.ts";
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
    for (const name of await listCheckpoints(this.#directory)) {
      const id = TerminalId.safeParse(name);
      if (!id.success) continue;
      try {
        const checkpoint = await readCheckpoint(this.#directory, name);
        found.push(new SavedTerminal(id.data, checkpoint, this.#directory, this.#screens));
      } catch (error) {
        this.#log.error(`the saved screen of ${name} cannot be read`, error);
      }
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

  async remove(id: TerminalId): Promise<void> {
    await this.#schedule.forget(id);
    await removeCheckpoint(this.#directory, id);
  }
}

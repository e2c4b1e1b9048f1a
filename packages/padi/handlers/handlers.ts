// The contract of padi, answered: one file per group beside this one.
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Preferences } from "@kolu/contract/preferences.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { Pictures } from "@kolu/picture/pictures.ts";
import type { AttentionWatch } from "../attention/watch.ts";
import type { Cell } from "../cell.ts";
import type { PadiDb } from "../db/db.ts";
import type { Uploads } from "../uploads/uploads.ts";
import { type DaemonWorld, daemonHandlers } from "./daemon.ts";
import { type LaunchWorld, launchHandlers } from "./launch.ts";
import type { Notices } from "./notices.ts";
import { preferencesHandlers } from "./preferences.ts";
import { type ProjectWorld, projectHandlers } from "./project.ts";
import { promptHandlers } from "./prompt.ts";
import { screenHandlers } from "./screen.ts";
import { searchHandlers } from "./search.ts";
import { type SessionsWorld, sessionHandlers } from "./sessions.ts";
import { canvasHandlers, type TerminalsWorld, terminalHandlers } from "./terminals.ts";
import { type TranscriptWorld, transcriptHandlers } from "./transcript.ts";
import { uploadHandlers } from "./uploads.ts";
import { urgencyHandlers } from "./urgency.ts";
import { waitHandlers } from "./wait.ts";
import { type WatchWorld, watchHandlers } from "./watch.ts";
import { type WorkspaceWorld, workspaceHandlers } from "./workspace.ts";

export interface PadiWorld
  extends DaemonWorld,
    TerminalsWorld,
    SessionsWorld,
    WorkspaceWorld,
    WatchWorld,
    LaunchWorld,
    TranscriptWorld,
    ProjectWorld {
  db: PadiDb;
  preferences: Cell<Preferences>;
  attention: AttentionWatch;
  notices: Notices;
  pictures: Pictures;
  uploads: Uploads;
}

export function padiHandlers(world: PadiWorld): Handlers<PadiContract> {
  return {
    ...daemonHandlers(world),
    ...terminalHandlers(world),
    ...sessionHandlers(world),
    ...workspaceHandlers(world),
    ...canvasHandlers(world),
    ...launchHandlers(world),
    ...screenHandlers(world),
    ...promptHandlers(world),
    ...waitHandlers(world),
    ...projectHandlers(world),
    ...uploadHandlers(world),
    ...searchHandlers(world),
    ...watchHandlers(world),
    ...transcriptHandlers(world),
    ...preferencesHandlers(world),
    ...urgencyHandlers(world.attention),
    ...world.notices.handlers,
  };
}

// A worker thread that owns screens. Everything it does is in screen-host.ts; here is only the thread.
import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { createScreenHost } from "./screen-host.ts";
import type { ToWorker, WorkerStart } from "./screen-messages.ts";

/** Of 19; as much as a shell gives to what it runs in the background. */
const PARSING_NICENESS = 5;

const port = parentPort;
if (port === null) throw new Error("screen-worker.ts is started by createScreens, as a worker thread.");

// Keys and output go before parsing: on Linux a priority is a thread's own (elsewhere it is the whole process's).
if (process.platform === "linux") setPriority(PARSING_NICENESS);

// A thread at rest never collects by itself: thirty closed terminals would stay in memory until others are opened.
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const host = createScreenHost(
  workerData as WorkerStart,
  (message, transfer) => port.postMessage(message, transfer),
  collect,
);
port.on("message", (message: ToWorker) => host.receive(message));

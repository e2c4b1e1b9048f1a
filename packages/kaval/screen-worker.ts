// A worker thread that owns screens. Everything it does is in screen-host.ts; here is only the thread.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { createScreenHost } from "./screen-host.ts";
import type { ToWorker, WorkerStart } from "./screen-messages.ts";

const port = parentPort;
if (port === null) throw new Error("screen-worker.ts is started by createScreens, as a worker thread.");

// A thread at rest never collects by itself: thirty closed terminals would stay in memory until others are opened.
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const host = createScreenHost(
  workerData as WorkerStart,
  (message, transfer) => port.postMessage(message, transfer),
  collect,
);
port.on("message", (message: ToWorker) => host.receive(message));

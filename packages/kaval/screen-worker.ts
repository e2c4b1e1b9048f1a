// A worker thread that owns screens. Everything it does is in screen-host.ts; here is only the thread.
import { parentPort, workerData } from "node:worker_threads";
import { createScreenHost } from "./screen-host.ts";
import type { ToWorker, WorkerStart } from "./screen-messages.ts";

const port = parentPort;
if (port === null) throw new Error("screen-worker.ts is started by createScreens, as a worker thread.");
const host = createScreenHost(workerData as WorkerStart, (message, transfer) =>
  port.postMessage(message, transfer),
);
port.on("message", (message: ToWorker) => host.receive(message));

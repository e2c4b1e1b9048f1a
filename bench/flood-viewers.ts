// A worker that watches terminals through the page's socket and drops what it sees, acknowledging like the page.
import { parentPort, workerData } from "node:worker_threads";
import type { Target } from "@kolu/wire/dial.ts";
import { followOutput } from "./throughput.ts";

const { target, ids } = workerData as { target: Target; ids: string[] };
const followed = await Promise.all(ids.map((id) => followOutput(target, id)));
await Promise.all(followed.map(({ started }) => started));
parentPort!.postMessage("flowing");

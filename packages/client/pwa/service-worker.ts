// The page's service worker: lets the shell of the page come up where the server is away, so that it can say so. What it
// answers is decided in shell-cache.ts. Built as /sw.js; its list of files and its version are written in by the build.
import { cacheName, isHashed, PAGE_PATH, planFor, staleCaches } from "./shell-cache.ts";

/** Written in by the build (tools/service-worker.ts): any change of any file makes another worker. */
declare const KOLU_SHELL: { version: string; files: string[] };

interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
/** What a worker has and a page has not; one program cannot have the types of both. */
interface WorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}

const scope = globalThis as unknown as WorkerScope;
const shell = KOLU_SHELL;
const kept = cacheName(shell.version);

scope.addEventListener("install", (event) => {
  // A newer page is better at once: what an open page still asks of the older one is on the server or gone there too.
  event.waitUntil(fill().then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => scope.clients.claim()));
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  switch (planFor(request, location.origin, shell.files)) {
    case "page":
      event.respondWith(fromServerFirst(request));
      break;
    case "file":
      event.respondWith(fromCacheFirst(request));
      break;
    default: // Not answered: the browser does what it does without a service worker.
  }
});

async function fill(): Promise<void> {
  const cache = await caches.open(kept);
  const requests = shell.files.map((path) => new Request(path, isHashed(path) ? {} : { cache: "no-cache" }));
  await cache.addAll(requests);
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(staleCaches(names, shell.version).map((name) => caches.delete(name)));
}

/** Whatever the server says counts, refusals too; the kept page is for when there is no server to ask. */
async function fromServerFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await caches.match(PAGE_PATH, { cacheName: kept, ignoreVary: true });
    if (page) return page;
    throw error;
  }
}

async function fromCacheFirst(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname;
  const known = await caches.match(request, { cacheName: kept, ignoreVary: true });
  if (known && isHashed(path)) return known;
  if (known) return fetch(request).catch(() => known);
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(kept)).put(request, answer.clone());
  return answer;
}

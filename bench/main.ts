// `npm run bench [name…]`: every promise about speed and memory, each beside its limit measured in the same run.
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { startBenchKolu } from "./bench-kolu.ts";
import { benchCanvas } from "./canvas.ts";
import { benchEcho } from "./echo.ts";
import { type Figure, formatTable } from "./figures.ts";
import { benchPage } from "./page.ts";
import { benchPictures } from "./pictures.ts";
import { benchResources } from "./resources.ts";
import { benchStartUp } from "./start-up.ts";
import { benchState } from "./state.ts";
import { writeMixedStream } from "./streams.ts";
import { benchThroughput } from "./throughput.ts";

const ONE_MB = 60;
const EACH_OF_TWENTY_MB = 5;

const directory = await mkdtemp(join(tmpdir(), "kolu-bench-"));
const one = join(directory, "one");
const each = join(directory, "each");
const files = {
  one: { path: one, bytes: await writeMixedStream(one, ONE_MB) },
  each: { path: each, bytes: await writeMixedStream(each, EACH_OF_TWENTY_MB) },
};

const benches: Record<string, (kolu: Awaited<ReturnType<typeof startBenchKolu>>) => Promise<Figure[]>> = {
  throughput: (kolu) => benchThroughput(kolu, files),
  echo: (kolu) => benchEcho(kolu, files.each.path),
  state: benchState,
  pictures: benchPictures,
  resources: benchResources,
  "start-up": benchStartUp,
  page: benchPage,
  canvas: benchCanvas,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0)
  throw new Error(`No bench named ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}`);

const figures: Figure[] = [];
let failed = false;
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  try {
    // Each on a fresh kolu: what one bench left behind must not colour the next.
    await using kolu = await startBenchKolu();
    figures.push(...(await bench(kolu)));
  } catch (error) {
    failed = true;
    process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : error}\n`);
  }
}
await rm(directory, { recursive: true });
process.stdout.write(
  `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}\n\n`,
);
process.stdout.write(`${formatTable(figures)}\n`);
process.exitCode = failed ? 1 : 0;

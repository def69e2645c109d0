import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { quantile } from "../load.ts";
import { measureIngestion } from "./ingestion.ts";
import { openInstallation, type Installation } from "./installation.ts";
import { REQUESTS, type Request } from "./requests.ts";
import { FACTOR, RUNS, sizesTimes } from "./sizes.ts";

const WARM_UP = 3;
/** Above this ratio, a request does not scale. */
const MAX_RATIO = 3;
/** A slower request is measured less often, in milliseconds for all its runs. */
const PATIENCE = 15_000;

/**
 * The same requests in a small installation and in one that is a hundred times as large, one at a time and in turn, and
 * ingestion into both. Prints the medians and their ratio.
 */
export async function benchGrowth() {
  const kept = process.env["GROWTH_FOLDER"];
  const folder = kept ?? (await mkdtemp(path.join(tmpdir(), "signalbox-growth-")));
  const open: Installation[] = [];
  try {
    console.log(`\nGrowth: a small installation and one ${FACTOR} times as large`);
    const small = await openInstallation("small", path.join(folder, "small"), sizesTimes(1));
    open.push(small);
    const large = await openInstallation("large", path.join(folder, `times-${FACTOR}`), sizesTimes(FACTOR));
    open.push(large);
    console.log(`  ${gigabytes(small.bytes)} and ${gigabytes(large.bytes)} on disk`);
    await measureRequests(small, large);
    if (process.env["GROWTH_ONLY"] === undefined) await measureIngestion(small, large);
  } finally {
    for (const { server } of open) await server.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function measureRequests(small: Installation, large: Installation) {
  const only = process.env["GROWTH_ONLY"] ?? "";
  let part = "";
  let above = 0;
  for (const request of REQUESTS.filter(({ part, name }) => `${part}: ${name}`.includes(only))) {
    if (request.part !== part) console.log(`\n  ${(part = request.part).padEnd(48)}   small    large  ratio`);
    const [before, after] = await medians(request, small, large);
    const ratio = after / before;
    if (ratio > MAX_RATIO) above++;
    console.log(
      `    ${request.name.padEnd(46)} ${before.toFixed(1).padStart(7)} ${after.toFixed(1).padStart(8)} ${ratio.toFixed(1).padStart(6)}${ratio > MAX_RATIO ? " !" : ""}`,
    );
  }
  console.log(`\n  ${above} of ${REQUESTS.length} above ${MAX_RATIO} times`);
}

/** In milliseconds. In turn, because other load on the machine comes and goes. */
async function medians(request: Request, ...installations: Installation[]): Promise<[number, number]> {
  const times: number[][] = installations.map(() => []);
  const start = performance.now();
  for (let run = -WARM_UP; run < RUNS; run++) {
    if (run > 3 && performance.now() - start > PATIENCE) break;
    for (const [at, installation] of installations.entries()) {
      const time = await timed(request, installation);
      if (run >= 0) times[at]?.push(time);
    }
  }
  const [small = Number.NaN, large = Number.NaN] = times.map((all) =>
    quantile(Float64Array.from(all).sort(), 0.5),
  );
  return [small, large];
}

async function timed({ path: pathOf, by }: Request, { server, known }: Installation): Promise<number> {
  const url = `http://localhost:${server.port}${pathOf(known)}`;
  const start = performance.now();
  const response = await fetch(url, { headers: { cookie: known[by] } });
  const body = Buffer.from(await response.arrayBuffer());
  // Such as a statement that takes too long.
  if (response.status === 503) return Number.POSITIVE_INFINITY;
  if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${body.toString("utf8", 0, 200)}`);
  return performance.now() - start;
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

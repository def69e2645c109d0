import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import sharp from "sharp";
import { startEmbedded } from "../src/server/postgres/embedded.ts";
import { ranksBehind } from "../src/server/work/ranks/rank.ts";
import { setUp, startServer, type BenchServer, type Owner } from "./server.ts";

const REPORTS = 10_000;
const RUNS = 30;
const UPLOADS = 24;
const CONCURRENT_UPLOADS = 8;
const MOVE_BUDGET_MS = 30;

/** The list of 10,000 reports, moves within it, and the memory for uploads of photos. */
export async function benchReports() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const database = await startEmbedded({ dataDir, log: () => {} });
  const server = await startServer(dataDir, { DATABASE_URL: database.url });
  try {
    const owner = await setUp(server.port);
    const { id } = (await owner.post("/api/projects", { key: "BENCH", name: "Bench" })) as { id: number };
    await fill(database.url, id);
    await benchQueue(owner, `/api/projects/${id}/reports`);
    const { token } = (await owner.post(`/api/projects/${id}/tokens`, {
      name: "bench",
      access: "read_write",
    })) as {
      token: string;
    };
    await benchUploads(server, token, `/api/projects/${id}/reports`);
  } finally {
    await server.stop();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Lists and moves alternate, so that other load on the machine affects both. */
async function benchQueue(owner: Owner, reports: string) {
  const list: number[] = [];
  const move: number[] = [];
  const ids = ((await owner.get(reports)) as { id: number }[]).map((report) => report.id);
  for (let run = 0; run < RUNS; run++) {
    list.push(await timed(() => owner.get(reports)));
    const [report_id, rank_before_id] = [ids[(run * 331) % REPORTS], ids[(run * 733 + 17) % REPORTS]];
    move.push(await timed(() => owner.post(`${reports}/reorder`, { report_id, rank_before_id })));
  }
  const difference = median(move) - median(list);
  console.log(
    `\nReports among ${REPORTS.toLocaleString("en")}, median of ${RUNS} requests, including parsing the JSON`,
  );
  console.log(`  list                    ${median(list).toFixed(1)} ms`);
  console.log(`  move, which returns it  ${median(move).toFixed(1)} ms`);
  console.log(`  difference              ${difference.toFixed(1)} ms (at most ${MOVE_BUDGET_MS})`);
  if (difference > MOVE_BUDGET_MS) throw new Error("a move takes too long");
}

/** Concurrent uploads of photos with 12 megapixels; peak memory of the server and of its file worker. */
async function benchUploads(server: BenchServer, token: string, reports: string) {
  const noise = { type: "gaussian", mean: 128, sigma: 12 } as const;
  const photo = await sharp({
    create: { width: 4_000, height: 3_000, channels: 3, background: "#888", noise },
  })
    .jpeg({ quality: 70 })
    .toBuffer();
  const before = await server.usage();
  const peak = { server: 0, worker: 0 };
  const sampling = { on: true };
  const sampler = (async () => {
    while (sampling.on) {
      // The database is not a child of the server here, so its only child process is the file worker.
      const { server: main, postgres: worker } = await server.usage();
      peak.server = Math.max(peak.server, main.memory);
      peak.worker = Math.max(peak.worker, worker.memory);
    }
  })();
  let remaining = UPLOADS;
  const started = performance.now();
  const client = async () => {
    while (remaining-- > 0) await upload(server, token, reports, photo);
  };
  await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, client));
  const seconds = (performance.now() - started) / 1000;
  sampling.on = false;
  await sampler;
  console.log(
    `\nUploads: ${UPLOADS} photos of 12 megapixels, ${(photo.length / 1_048_576).toFixed(1)} MiB each, ${CONCURRENT_UPLOADS} at a time`,
  );
  console.log(`  ${(UPLOADS / seconds).toFixed(2)} per second`);
  console.log(`  server: ${before.server.memory.toFixed(0)} MiB before, peak ${peak.server.toFixed(0)} MiB`);
  console.log(`  file worker: peak ${peak.worker.toFixed(0)} MiB`);
}

async function upload(server: BenchServer, token: string, reports: string, photo: Buffer) {
  const form = new FormData();
  form.set("title", "Broken");
  form.set("description", "See picture");
  form.set("files[0]", new Blob([new Uint8Array(photo)]), "photo.jpg");
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${server.port}${reports}`, {
    method: "POST",
    headers,
    body: form,
  });
  if (response.status !== 201)
    throw new Error(`an upload returned ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

async function fill(url: string, projectId: number) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into reports (project_id, title, description, source, author_name, rank)
     select $1, 'Something is wrong in place ' || n, repeat('It does not do what it should. ', 8), 1, 'Jo', rank
     from unnest($2::text[]) with ordinality as ranks (rank, n)`,
    [projectId, ranksBehind(null, REPORTS)],
  );
  await client.query("vacuum analyze reports");
  await client.end();
}

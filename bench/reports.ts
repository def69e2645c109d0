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
const AT_ONCE = 8;
const BESIDES_MS = 30;

/** The list of 10,000 reports, a move among them, and what uploads of photographs take in memory. */
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

/** List and move in turn, so that whatever else the machine does meets both. */
async function benchQueue(owner: Owner, reports: string) {
  const list: number[] = [];
  const move: number[] = [];
  const ids = ((await owner.get(reports)) as { id: number }[]).map((report) => report.id);
  for (let run = 0; run < RUNS; run++) {
    list.push(await timed(() => owner.get(reports)));
    const [report_id, rank_before_id] = [ids[(run * 331) % REPORTS], ids[(run * 733 + 17) % REPORTS]];
    move.push(await timed(() => owner.post(`${reports}/reorder`, { report_id, rank_before_id })));
  }
  const besides = median(move) - median(list);
  console.log(
    `\nReports among ${REPORTS.toLocaleString("en")}, median of ${RUNS} requests, the answer's JSON parsed`,
  );
  console.log(`  list                    ${median(list).toFixed(1)} ms`);
  console.log(`  move, with that list    ${median(move).toFixed(1)} ms`);
  console.log(`  the move by itself      ${besides.toFixed(1)} ms (at most ${BESIDES_MS})`);
  if (besides > BESIDES_MS) throw new Error("a move takes too long");
}

/** Photographs of 12 megapixels, several at once; the highest memory seen of the server and of its file worker. */
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
      // The database is not the server's child here, so the worker is all it has.
      const { server: own, postgres: worker } = await server.usage();
      peak.server = Math.max(peak.server, own.memory);
      peak.worker = Math.max(peak.worker, worker.memory);
    }
  })();
  let left = UPLOADS;
  const started = performance.now();
  const client = async () => {
    while (left-- > 0) await send(server, token, reports, photo);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const seconds = (performance.now() - started) / 1000;
  sampling.on = false;
  await sampler;
  console.log(
    `\nUploads: ${UPLOADS} photographs of 12 megapixels, ${(photo.length / 1_048_576).toFixed(1)} MiB each, ${AT_ONCE} at once`,
  );
  console.log(`  ${(UPLOADS / seconds).toFixed(2)} a second`);
  console.log(
    `  server: ${before.server.memory.toFixed(0)} MiB before, ${peak.server.toFixed(0)} MiB at most`,
  );
  console.log(`  its file worker: ${peak.worker.toFixed(0)} MiB at most`);
}

async function send(server: BenchServer, token: string, reports: string, photo: Buffer) {
  const form = new FormData();
  form.set("title", "Broken");
  form.set("description", "See picture");
  form.set("files[0]", new Blob([new Uint8Array(photo)]), "photo.jpg");
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${server.port}${reports}`, {
    method: "POST",
    headers,
    body: form,
  });
  if (answer.status !== 201) throw new Error(`an upload answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
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

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbedded } from "../src/server/postgres/embedded.ts";
import { quantile } from "./load.ts";
import { setUp, startServer, type Owner } from "./server.ts";

const EACH = 100_000;
const WORDS = 20_000;
const RUNS = 60;
const WARM_UP = 5;
const BUDGET_MS = 50;

/** `GET /api/projects/{id}/similar` among 100,000 reports, issues and error groups of one project, one request at a time. */
export async function benchSimilar() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const database = await startEmbedded({ dataDir, log: () => {} });
  const server = await startServer(dataDir, { DATABASE_URL: database.url });
  try {
    const owner = await setUp(server.port);
    const { id } = (await owner.post("/api/projects", { key: "BENCH", name: "Bench" })) as { id: number };
    await fill(database.url, id);
    console.log(
      `\nSimilar items among ${EACH.toLocaleString("en")} reports, issues and error groups each, median and p95 of ${RUNS} requests`,
    );
    await measure("baseline: a request without a query (/api/health)", owner, () => "/api/health");
    let slowest = 0;
    for (const [name, texts] of QUERIES) {
      const url = (run: number) =>
        `/api/projects/${id}/similar?${new URLSearchParams(texts(run)).toString()}`;
      slowest = Math.max(slowest, await measure(name, owner, url));
    }
    if (slowest > BUDGET_MS) throw new Error(`finding similar items takes more than ${BUDGET_MS} ms`);
  } finally {
    await server.stop();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Each run has another text, so that no statement benefits from the one before. */
const QUERIES: [name: string, texts: (run: number) => Record<string, string>][] = [
  ["two common words", () => ({ title: "Import signalbox" })],
  ["a title", () => ({ title: title(0) })],
  ["the title of a report", (run) => ({ title: titleOf(run * 97) })],
  ["a title with typing errors", (run) => ({ title: titleOf(run * 97).replaceAll("n", "m") })],
  ["a title and a short text", () => ({ title: title(0), description: text(20, 40) })],
  ["a title and 2,000 characters", () => ({ title: title(0), description: text(350, 360) })],
  ["a word without matches", () => ({ title: "xylophone" })],
];

async function measure(name: string, owner: Owner, url: (run: number) => string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS + WARM_UP; run++) {
    const address = url(run);
    const start = performance.now();
    await owner.get(address);
    if (run >= WARM_UP) times.push(performance.now() - start);
  }
  const sorted = Float64Array.from(times).sort();
  const median = quantile(sorted, 0.5);
  console.log(`  ${name.padEnd(50)} ${median.toFixed(1)} ms, p95 ${quantile(sorted, 0.95).toFixed(1)} ms`);
  return median;
}

async function fill(url: string, projectId: number) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // There are no listeners, and recording 200,000 live changes would take longer than inserting the rows.
  await client.query(
    "alter table issues disable trigger live_insert; alter table reports disable trigger live_insert",
  );
  for (const statement of TABLES)
    for (let from = 0; from < EACH; from += 5_000) {
      const rows = Array.from({ length: 5_000 }, (_, n) => from + n);
      await client.query(statement, [projectId, rows, rows.map(titleOf), rows.map(() => text(20, 100))]);
    }
  await client.query(
    "alter table issues enable trigger live_insert; alter table reports enable trigger live_insert",
  );
  await client.query("vacuum analyze");
  await client.end();
}

let seed = 42;
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const SYLLABLES = "ba co di fu ga he ki lo mu na po qui ra se ti vu wa xe yo za".split(" ");
const syllable = (n: number) => SYLLABLES[Math.floor(n) % SYLLABLES.length] ?? "";
/** Few common and many rare words. */
const word = () => {
  const n = Math.floor(WORDS ** random()) - 1;
  return `${syllable(n)}n${syllable(n / 20)}r${syllable(n / 400)}${syllable(n / 8_000)}`;
};
const words = (min: number, max: number) =>
  Array.from({ length: min + Math.floor(random() * (max - min)) }, word).join(" ");
const title = (n: number) => `${words(4, 8)} ${n % 2 === 0 ? "import" : "export"}`;
const text = (min: number, max: number) => `Signalbox ${words(min, max)}`;
const titles: string[] = [];
const titleOf = (n: number) => (titles[n] ??= title(n));

const NUMBERED = `unnest($2::int[], $3::text[], $4::text[]) as input (n, title, text)`;

const TABLES = [
  `insert into reports (project_id, title, description, source, rank)
   select $1, title, text, 1, lpad(n::text, 8, '0') from ${NUMBERED}`,
  `insert into issues (project_id, number, title, description, type, priority, lane_id, rank)
   select $1, 1 + n, title, text, 0, 2, (select min(id) from lanes where project_id = $1), lpad(n::text, 8, '0')
   from ${NUMBERED} order by n`,
  `with inserted as (
     insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
       daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at)
     select $1, 'production', sha256(n::text::bytea), 'App\\Exception' || n % 500, title || ' ' || left(text, 100), 1,
       array_fill(1, array[90]), at, at, date_bin('10 minutes', at, 'epoch'), at
     from ${NUMBERED} cross join lateral (select now() - n * interval '17 seconds' as at) seen
     returning id, project_id, latest_message
   )
   insert into error_group_messages select id, project_id, latest_message, false from inserted`,
];

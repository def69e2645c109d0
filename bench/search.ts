import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbedded } from "../src/server/postgres/embedded.ts";
import { quantile } from "./load.ts";
import { setUp, startServer, type Owner } from "./server.ts";

const PROJECTS = 20;
const ISSUES = 100_000;
const COMMENTS = 20_000;
const REPORTS = 5_000;
const GROUPS = 5_000;
const WORDS = 8_000;
const RUNS = 60;
const WARM_UP = 5;

/** Search among 100,000 issues, comments, reports and error groups, over HTTP, one request at a time. */
export async function benchSearch() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const database = await startEmbedded({ dataDir, log: () => {} });
  const server = await startServer(dataDir, { DATABASE_URL: database.url });
  try {
    const owner = await setUp(server.port);
    for (let n = 1; n <= PROJECTS; n++)
      await owner.post("/api/projects", { key: `BENCH${n}`, name: `Bench ${n}` });
    await fill(database.url);
    console.log(`\nSearch among ${ISSUES.toLocaleString("en")} issues, median and p95 of ${RUNS} requests`);
    const baseline = await measure("baseline: a request without a query (/api/health)", owner, "/api/health");
    for (const [name, query] of [
      ["a rare word", "zeppelin"],
      ["a word in every text", "signalbox"],
      ["a word in every other title", "import"],
      ["a rare and a common word", "zeppelin signalbox"],
      ["two common words, never together", "import export"],
      ["one letter", "b"],
      ["a prefix of a common word", "import sig"],
      ["a key", "BENCH7-1234"],
      ["a substring of class names", "otfoundhtt"],
      ["the suffix of all class names", "exception"],
      ["a misspelled class name", "notfuondhttpexception"],
      ["a word without matches", "xylophone"],
    ] as const) {
      const time = await measure(name, owner, `/api/search?query=${encodeURIComponent(query)}`);
      console.log(`    ${(time / baseline).toFixed(1)} times the baseline`);
    }
  } finally {
    await server.stop();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(name: string, owner: Owner, url: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS + WARM_UP; run++) {
    const start = performance.now();
    await owner.get(url);
    if (run >= WARM_UP) times.push(performance.now() - start);
  }
  const sorted = Float64Array.from(times).sort();
  const median = quantile(sorted, 0.5);
  console.log(`  ${name.padEnd(48)} ${median.toFixed(1)} ms, p95 ${quantile(sorted, 0.95).toFixed(1)} ms`);
  return median;
}

/** Inserts texts with a vocabulary of few common and many rare words. */
async function fill(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // There are no listeners, and recording 100,000 live changes would take longer than inserting the issues.
  await client.query("alter table issues disable trigger live_insert");
  for (const [statement, count, title, text] of TABLES)
    for (let from = 0; from < count; from += 5_000) {
      const rows = Array.from({ length: Math.min(5_000, count - from) }, (_, n) => from + n);
      await client.query(statement, [rows, rows.map(title), rows.map(text)]);
    }
  await client.query("alter table issues enable trigger live_insert");
  await client.query("vacuum analyze");
  await client.end();
}

let seed = 42;
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const SYLLABLES = "ba co di fu ga he ki lo mu na po qui ra se ti vu wa xe yo za".split(" ");
const syllable = (n: number) => SYLLABLES[Math.floor(n) % SYLLABLES.length] ?? "";
const word = () => {
  const n = Math.floor(WORDS ** random()) - 1;
  return `${syllable(n)}n${syllable(n / 20)}r${syllable(n / 400)}`;
};
const words = (min: number, max: number) =>
  Array.from({ length: min + Math.floor(random() * (max - min)) }, word).join(" ");
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

type Table = [statement: string, count: number, title: (n: number) => string, text: (n: number) => string];

const NUMBERED = `unnest($1::int[], $2::text[], $3::text[]) as input (n, title, text)
  join projects p on p.key = 'BENCH' || (1 + input.n % ${PROJECTS})`;

const TABLES: Table[] = [
  [
    `insert into issues (project_id, number, title, description, type, priority, lane_id, rank, created_at)
     select p.id, 1 + n / ${PROJECTS}, title, text, 0, 2,
       (select l.id from lanes l where l.project_id = p.id and l.position = n / ${PROJECTS} % 4),
       lpad(n::text, 8, '0'), now() - (${ISSUES} - n) * interval '1 minute'
     from ${NUMBERED} order by n`,
    ISSUES,
    (n) => `${words(4, 8)} ${n % 2 === 0 ? "import" : "export"}`,
    (n) => `Signalbox ${words(20, 100)}${n % 5_000 === 7 ? " zeppelin" : ""}`,
  ],
  [
    `insert into comments (project_id, issue_id, user_id, content)
     select i.project_id, i.id, 1, text from ${NUMBERED}
     join issues i on i.project_id = p.id and i.number = 1 + n / ${PROJECTS}`,
    COMMENTS,
    () => "",
    () => `Signalbox ${words(10, 50)}`,
  ],
  [
    `insert into reports (project_id, title, description, source, rank)
     select p.id, title, text, 1, lpad(n::text, 8, '0') from ${NUMBERED}`,
    REPORTS,
    () => words(4, 8),
    () => `Signalbox ${words(20, 100)}`,
  ],
  [
    `insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
       daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at)
     select p.id, 'production', sha256(n::text::bytea), title, text, 1, array_fill(1, array[90]), at, at,
       date_bin('10 minutes', at, 'epoch'), at
     from ${NUMBERED} cross join lateral (select now() - n * interval '17 seconds' as at) seen`,
    GROUPS,
    (n) =>
      `App\\${capital(word())}\\${n % 500 === 3 ? "NotFoundHttp" : capital(word()) + capital(word())}Exception`,
    () => `Signalbox ${words(8, 20)}`,
  ],
];

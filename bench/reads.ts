import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbedded } from "../src/server/postgres/embedded.ts";
import { setUp, startServer, type Owner } from "./server.ts";

const GROUPS = 100_000;
const DAYS = 20;
const RUNS = 40;

/** Lists of 500 groups and a group's detail, with 100,000 groups and 2,000,000 daily counts, one request at a time. */
export async function benchReads() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const database = await startEmbedded({ dataDir, log: () => {} });
  const server = await startServer(dataDir, { DATABASE_URL: database.url });
  try {
    const owner = await setUp(server.port);
    const { id } = (await owner.post("/api/projects", { key: "BENCH", name: "Bench" })) as { id: number };
    await fill(database.url, id);
    const list = `/api/projects/${id}/error-groups`;
    const newest = (await owner.get(`${list}?limit=1`)) as { data: { id: number }[] };
    console.log(`\nReads among ${GROUPS.toLocaleString("en")} groups, median of ${RUNS} requests`);
    const baseline = await median("baseline: a request without a query (/api/health)", owner, "/api/health");
    for (const [name, url] of [
      ["list of 500", list],
      ["list of 500 across projects", "/api/error-groups"],
      ["list of 500, one environment", `${list}?environment=staging`],
      ["detail", `${list}/${newest.data[0]?.id}`],
    ] as const) {
      const time = await median(name, owner, url);
      console.log(`    ${(time / baseline).toFixed(1)} times the baseline`);
    }
  } finally {
    await server.stop();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function median(name: string, owner: Owner, url: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS + 5; run++) {
    const start = performance.now();
    await owner.get(url);
    if (run >= 5) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  console.log(`  ${name.padEnd(48)} ${middle.toFixed(1)} ms`);
  return middle;
}

/** Groups seen within the last 20 days, each with a count for every day, users, a release and a trace of 3 KB. */
async function fill(url: string, projectId: number) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of FILL) await client.query(statement.replaceAll("PROJECT", String(projectId)));
  await client.query("vacuum analyze");
  await client.end();
}

const FILL = [
  `insert into error_groups (project_id, environment, key, exception_class, release, last_release, latest_message,
     occurrence_count, daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at, context_kind, context_label)
   select PROJECT, case when n % 5 = 0 then 'staging' else 'production' end, sha256(n::text::bytea),
     'App\\Failure' || n, '1.' || n % 7, '1.' || n % 7, 'Something went wrong in place ' || n || ' ' || repeat('x', n % 300),
     ${DAYS} * 3, array_fill(3, array[${DAYS}]) || array_fill(0, array[90 - ${DAYS}]), seen.at - interval '${DAYS} days', seen.at, date_bin('10 minutes', seen.at, 'epoch'), seen.at,
     'route', 'GET /place/{id}'
   from generate_series(1, ${GROUPS}) n
   cross join lateral (select now() - n * interval '17 seconds' as at) seen`,
  `insert into error_group_details (group_id, stack_trace, previous_exceptions)
   select id, repeat('#0 /var/www/app/src/Place.php(12): App\\Place->go()' || chr(10), 60), '[]' from error_groups`,
  `insert into error_group_releases (group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
   select id, sha256(release::bytea), release, occurrence_count, first_seen_at, last_seen_at from error_groups`,
  `insert into error_group_users (group_id, user_hash, last_seen_at)
   select g.id, sha256((g.id * 10 + u)::text::bytea), g.last_seen_at from error_groups g cross join generate_series(1, 5) u`,
  `insert into error_group_counts (group_id, users, users_seen_since) select id, 5, last_seen_at from error_groups`,
];

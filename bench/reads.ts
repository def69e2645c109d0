import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { connect } from "../src/server/db/connect.ts";
import { rankGroups } from "../src/server/errors/groups/rank-groups.ts";
import { indexTags, indexTagsOf } from "../src/server/errors/groups/tag-index.ts";
import { startEmbedded } from "../src/server/postgres/embedded.ts";
import { setUp, startServer, type Owner } from "./server.ts";

const GROUPS = 100_000;
const DAYS = 20;
const RUNS = 40;

/** Of 1,000,000 kept events, each group has this many. */
const KEPT = 10;

/**
 * Lists of 500 groups and a group's detail, with 100,000 groups and 2,000,000 daily counts, one request at a time. Then the
 * same with 1,000,000 kept events, and the pages of an event.
 */
export async function benchReads() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const database = await startEmbedded({ dataDir, log: () => {} });
  const server = await startServer(dataDir, { DATABASE_URL: database.url });
  try {
    const owner = await setUp(server.port);
    const { id } = (await owner.post("/api/projects", { key: "BENCH", name: "Bench" })) as { id: number };
    await run(database.url, id, FILL);
    const list = `/api/projects/${id}/error-groups`;
    const newest = (await owner.get(`${list}?limit=1`)) as { data: { id: number }[] };
    const group = `${list}/${newest.data[0]?.id}`;
    console.log(
      `\nReads among ${GROUPS.toLocaleString("en")} groups, median of ${RUNS} requests and the fastest one`,
    );
    const baseline = await median("baseline: a request without a query (/api/health)", owner, "/api/health");
    const lists = new Map<string, number>();
    for (const [name, url] of LISTS(list)) {
      const time = await median(name, owner, url);
      lists.set(name, time);
      const plain = lists.get("list of 500") ?? time;
      console.log(
        `    ${(time / baseline).toFixed(1)} times the baseline, ${(time / plain).toFixed(1)} times the plain list`,
      );
    }
    await median("detail", owner, group);
    await run(database.url, id, KEEP);
    console.log(`  With ${(GROUPS * KEPT).toLocaleString("en")} kept events:`);
    for (const [name, url] of LISTS(list)) {
      const time = await median(name, owner, url);
      console.log(`    ${(time / (lists.get(name) ?? time)).toFixed(1)} times as long as without`);
    }
    const events = (await owner.get(`${group}/events`)) as { data: { id: number }[] };
    await median("the newest event", owner, `${group}/events/latest`);
    await median("an event by its id", owner, `${group}/events/${events.data.at(-1)?.id}`);
    await median("the list of kept events", owner, `${group}/events`);
    await median("the tags of the kept events", owner, `${group}/tags`);
  } finally {
    await server.stop();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const LISTS = (list: string): [name: string, url: string][] => [
  ["list of 500", list],
  ["list of 500 across projects", "/api/error-groups"],
  ["list of 500, one environment", `${list}?environment=staging`],
  ...["first_seen", "events", "users", "impact"].map((sort): [string, string] => [
    `list of 500 by ${sort}`,
    `${list}?sort=${sort}`,
  ]),
  ["list of 500, one release at first", `${list}?first_release=1.3`],
  ["list of 500, regressed", `${list}?regressed=true`],
  ["list of 500, one level", `${list}?level=warning`],
  ["list of 500 with a tag of 500 groups", `${list}?tag=${encodeURIComponent("shop:7")}`],
  ["list of 500 with a tag of all groups", `${list}?tag=${encodeURIComponent("shop:8")}`],
];

async function median(name: string, owner: Owner, url: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS + 5; run++) {
    const start = performance.now();
    await owner.get(url);
    if (run >= 5) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  console.log(`  ${name.padEnd(48)} ${middle.toFixed(1)} ms, ${times[0]?.toFixed(1)} ms`);
  return middle;
}

async function run(url: string, projectId: number, statements: string[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement.replaceAll("PROJECT", String(projectId)));
  const database = connect(url, () => {});
  await indexAllTags(database);
  await client.query("vacuum analyze");
  await client.end();
  // As the server's job does every five minutes.
  const start = performance.now();
  await rankGroups(database.db);
  console.log(`  the job ranked the groups by impact in ${(performance.now() - start).toFixed(0)} ms`);
  await database.close();
}

/** As the job does after an upgrade. The server's own job does not look at these groups, because they were seen before its last run. */
async function indexAllTags(database: ReturnType<typeof connect>) {
  const { rows } = await database.pool.query<{ id: number }>("select id from error_groups order by id");
  const start = performance.now();
  for (let at = 0; at < rows.length; at += 500)
    await indexTagsOf(
      database.db,
      rows.slice(at, at + 500).map(({ id }) => id),
    );
  console.log(`  the job indexed the tags in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  // Records that the index is complete. Until the job's first run has, lists read all kept events.
  await indexTags(database.db);
}

/**
 * Groups seen within the last 20 days, each with a count for every day, users, a release and a trace of 3 KB. Few have many
 * events and users. One in 200 has the tag `shop:7`.
 */
const FILL = [
  `insert into error_groups (project_id, environment, key, exception_class, release, last_release, latest_message,
     occurrence_count, daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at, context_kind, context_label,
     level, regressed_at)
   select PROJECT, case when n % 5 = 0 then 'staging' else 'production' end, sha256(n::text::bytea),
     'App\\Failure' || n, '1.' || n % 7, '1.' || n % 7, 'Something went wrong in place ' || n || ' ' || repeat('x', n % 300),
     ${DAYS} * 3 + ${GROUPS} / n, array_fill(3, array[${DAYS}]) || array_fill(0, array[90 - ${DAYS}]), seen.at - interval '${DAYS} days', seen.at, date_bin('10 minutes', seen.at, 'epoch'), seen.at,
     'route', 'GET /place/{id}', case when n % 50 = 0 then 'warning' else 'error' end,
     case when n % 100 = 0 then seen.at end
   from generate_series(1, ${GROUPS}) n
   cross join lateral (select now() - n * interval '17 seconds' as at) seen`,
  `insert into error_group_details (group_id, stack_trace, previous_exceptions, event, received_at, tags)
   select id, repeat('#0 /var/www/app/src/Place.php(12): App\\Place->go()' || chr(10), 60), '[]',
     nextval('error_events_id_seq'), last_seen_at, case when id % 200 = 0 then jsonb '{"shop": "7"}' else '{"shop": "8"}' end
   from error_groups`,
  `insert into error_group_releases (group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
   select id, sha256(release::bytea), release, occurrence_count, first_seen_at, last_seen_at from error_groups`,
  `insert into error_group_users (group_id, user_hash, last_seen_at)
   select g.id, sha256((g.id * 10 + u)::text::bytea), g.last_seen_at from error_groups g 
   cross join lateral generate_series(1, 5 + (g.occurrence_count / 50)::int) u`,
  `insert into error_group_counts (group_id, users, users_seen_since)
   select id, 5 + occurrence_count / 50, last_seen_at from error_groups`,
];

/** As large as small events: a trace of 1 KB and breadcrumbs of 1 KB. */
const KEEP = [
  `insert into error_events (id, group_id, received_at, reason, has_feedback, level, release, host, message, stack_trace,
     previous_exceptions, tags, additions)
   select nextval('error_events_id_seq'), g.id, g.last_seen_at - n * interval '1 minute', 2, false, 'error', g.release,
     'web-' || n, 'Something went wrong', repeat('#0 /var/www/app/src/Place.php(12): App\\Place->go()' || chr(10), 20), '[]',
     jsonb_build_object('shop', case when g.id % 200 = 0 then '7' else '8' end, 'browser', 'Firefox ' || n),
     json_build_object('breadcrumbs', (select json_agg(json_build_object('message', 'GET /place/' || b, 'category', 'http',
       'level', 'info', 'type', null, 'timestamp', null, 'data', null)) from generate_series(1, 10) b), 'request', null,
       'contexts', '{}'::json, 'extra', '{}'::json, 'frames', '[]'::json, 'truncated', '[]'::json, 'removed', '{}'::json)::text
   from error_groups g cross join generate_series(1, ${KEPT}) n`,
];

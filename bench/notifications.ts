import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbedded } from "../src/server/postgres/embedded.ts";
import { setUp, startServer, type Owner } from "./server.ts";

const WATCHERS = 1_000;
const ENTRIES = 100_000;
const RUNS = 40;

/** Comments that notify 1,000 watchers, and an inbox with 100,000 entries, over HTTP, one request at a time. */
export async function benchNotifications() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const database = await startEmbedded({ dataDir, log: () => {} });
  const server = await startServer(dataDir, { DATABASE_URL: database.url });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const owner = await setUp(server.port);
    await owner.post("/api/projects", { key: "BENCH", name: "Bench" });
    await benchComments(owner, client);
    await benchInbox(owner, client);
  } finally {
    await client.end();
    await server.stop();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchComments(owner: Owner, client: pg.Client) {
  console.log(
    `\nA comment on an issue with ${WATCHERS.toLocaleString("en")} watchers, median of ${RUNS} requests`,
  );
  const makeIssue = async (watched: boolean) => {
    const issue = (await owner.post("/api/projects/BENCH/issues", { title: "Checkout fails" })) as {
      id: number;
    };
    if (watched)
      await client.query(
        "insert into issue_watchers (issue_id, user_id) select $1, id from users on conflict do nothing",
        [issue.id],
      );
    return `/api/projects/BENCH/issues/${issue.id}/comments`;
  };
  for (const statement of PEOPLE) await client.query(statement);
  const [unwatched, watched] = [await makeIssue(false), await makeIssue(true)];
  const comment = (url: string) => () => owner.post(url, { content: "Have a look at this. ".repeat(10) });
  const baseline = await median("baseline: no watchers", comment(unwatched));
  await client.query("update users set email_notifications_enabled = false");
  const compare = (time: number) => console.log(`    ${(time / baseline).toFixed(1)} times the baseline`);
  compare(await median("notifications without email", comment(watched)));
  await client.query("update users set email_notifications_enabled = true");
  compare(await median("notifications with email", comment(watched)));
  const { rows } = await client.query(
    `select count(*)::int as entries, count(distinct (user_id, comment_id))::int as different,
       count(*) filter (where comment_id is null)::int as others from notifications`,
  );
  const expected = WATCHERS * (RUNS + WARM_UP) * 2;
  if (rows[0].entries !== expected || rows[0].different !== expected)
    throw new Error(`${expected} entries expected, but found ${JSON.stringify(rows[0])}`);
}

async function benchInbox(owner: Owner, client: pg.Client) {
  await client.query("delete from notifications");
  await client.query(
    `insert into notifications (user_id, type, message, actor_id, workspace_id, project_id, issue_id, issue_key,
       issue_title, read_at)
     select u.id, 2, 'Ada Moss commented on BENCH-1', a.id, p.workspace_id, p.id, i.id, 'BENCH-1', i.title,
       case when n % 3 > 0 then now() end
     from generate_series(1, $1) n, users u, users a, projects p, issues i
     where u.username = 'ada' and a.username = 'user1' and i.number = 1`,
    [ENTRIES],
  );
  await client.query("vacuum analyze");
  console.log(`\nAn inbox of ${ENTRIES.toLocaleString("en")} entries, median of ${RUNS} requests`);
  const baseline = await median("baseline: a request without a query (/api/health)", () =>
    owner.get("/api/health"),
  );
  for (const [name, url] of [
    ["first page of 100", "/api/notifications"],
    ["first page of 500", "/api/notifications?limit=500"],
    ["first page of unread entries", "/api/notifications?unread=true"],
    ["first page of one project", "/api/notifications?project_id=1"],
    ["unread count", "/api/notifications/unread-count"],
  ] as const) {
    const time = await median(name, () => owner.get(url));
    console.log(`    ${(time / baseline).toFixed(1)} times the baseline`);
  }
}

const WARM_UP = 5;

async function median(name: string, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < RUNS + WARM_UP; n++) {
    const start = performance.now();
    await run();
    if (n >= WARM_UP) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  console.log(`  ${name.padEnd(48)} ${middle.toFixed(1)} ms`);
  return middle;
}

const PEOPLE = [
  `insert into users (username, email, first_name, last_name)
   select 'user' || n, 'user' || n || '@example.com', 'Ada', 'Moss' from generate_series(1, ${WATCHERS}) n`,
  `insert into workspace_members (workspace_id, user_id)
   select w.id, u.id from workspaces w, users u on conflict do nothing`,
  `insert into project_members (project_id, workspace_id, user_id, role_id)
   select p.id, p.workspace_id, u.id, r.id from projects p, users u, roles r where r.name = 'Member'
   on conflict do nothing`,
  "vacuum analyze",
];

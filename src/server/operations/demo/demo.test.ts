import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeCookie } from "../../../../test/support/make.ts";
import { cloneDatabase } from "../../../../test/support/postgres.ts";
import { makeHome, run } from "../../../../test/support/program.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";
import { sweepFiles } from "../../files/storage/sweep-files.ts";
import { fillDemo } from "./fill-demo.ts";
import { EMAIL } from "./people.ts";

const SIZE = { groups: 90, issues: 60, reports: 24 };

const fill = (anyway = false) =>
  fillDemo(t.db, t.storage, {
    size: SIZE,
    anyway,
    dataDir: t.dataDir,
    publicUrl: "http://localhost:3000",
    retentionDays: 90,
    progress: () => {},
  });

const t = await useTestApp();
const filled = await fill();
const queuedMails = await count("mails");
assert.equal(filled.isNew, true);
const { administratorId } = filled;
const browser = t.http.withCookie(await makeCookie(t.db, administratorId));

const read = async (url: string) => {
  const answer = await browser.get(url);
  assert.equal(answer.status, 200, `${url} ${answer.text}`);
  return answer.body;
};

test("an empty installation gets a workspace with twelve people, three projects and the requested amounts", async () => {
  assert.deepEqual(
    (await read("/api/workspaces")).data.map((workspace: { name: string }) => workspace.name),
    ["Northwind Bikes"],
  );
  const projects = (await read("/api/projects")).data as { id: number; key: string; is_owner: boolean }[];
  assert.deepEqual(
    projects.map(({ key, is_owner }) => [key, is_owner]),
    [
      ["SHOP", true],
      ["RIDE", true],
      ["DEPOT", true],
    ],
  );
  assert.equal(await count("users"), 12);
  assert.equal(await count("error_groups"), SIZE.groups);
  assert.equal(await count("issues"), SIZE.issues);
  assert.equal(await count("reports"), SIZE.reports);
});

test("an error group's counts are consistent: days, releases and hosts each sum to its occurrences", async () => {
  const { rows } = await sql<{ id: number }>`
    select g.id from error_groups g where
      g.occurrence_count <> (select sum(n) from unnest(g.daily_counts) n)
      or g.occurrence_count <> coalesce((select sum(occurrence_count) from error_group_releases where group_id = g.id), g.occurrence_count)
      or g.occurrence_count <> coalesce((select sum(count) from error_group_hosts where group_id = g.id), g.occurrence_count)
      or g.occurrence_count < coalesce((select users from error_group_counts where group_id = g.id), 0)`.execute(
    t.db,
  );
  assert.deepEqual(rows, []);
  assert.ok((await count("error_group_releases")) > SIZE.groups);
  assert.ok((await count("error_group_hosts")) > SIZE.groups / 2);
  const { rows: users } = await sql<{ id: number }>`
    select c.group_id as id from error_group_counts c
    where (c.users, c.users_seen_since) is distinct from (
      select row(count(*)::int, coalesce(min(u.last_seen_at), 'infinity')) from error_group_users u where u.group_id = c.group_id)`.execute(
    t.db,
  );
  assert.deepEqual(users, []);
});

test("an error group's times are consistent: its first and last day have events, and none are outside or in the future", async () => {
  const { rows } = await sql<{ id: number }>`
    select g.id from error_groups g
    cross join lateral (select (last_seen_at at time zone 'UTC')::date - (first_seen_at at time zone 'UTC')::date as span) days
    where g.last_seen_at > now() or g.first_seen_at > g.last_seen_at
      or g.daily_counts[1] = 0 or g.daily_counts[span + 1] = 0
      or exists (select from unnest(g.daily_counts[span + 2:]) n where n > 0)
      or g.last_seen_span <> date_bin('10 minutes', g.last_seen_at, 'epoch')
      or exists (select from error_group_releases r where r.group_id = g.id
        and (r.first_seen_at < g.first_seen_at or r.last_seen_at > g.last_seen_at or r.first_seen_at > r.last_seen_at))
      or exists (select from error_group_hosts h where h.group_id = g.id
        and h.last_seen_at not between g.first_seen_at and g.last_seen_at)
      or exists (select from error_group_users u where u.group_id = g.id
        and u.last_seen_at not between g.first_seen_at and g.last_seen_at)`.execute(t.db);
  assert.deepEqual(rows, []);
});

test("every error group has a state that the product can produce, and every state occurs", async () => {
  const { rows } = await sql<{ id: number }>`
    select id from error_groups where not (case
      when status = 0 and regressed_at is null then resolved_at is null and resolved_by_id is null
      when status = 0 then resolved_at <= regressed_at and resolved_by_id is not null and reopen_count > 0
        and regressed_at between first_seen_at and last_seen_at and resolved_release is distinct from last_release
      when status = 1 then resolved_at >= last_seen_at and resolved_by_id is not null and regressed_at is null
        and resolved_release is not distinct from last_release
      else resolved_at is null and resolved_by_id is null and regressed_at is null end)`.execute(t.db);
  assert.deepEqual(rows, []);
  const { rows: states } = await sql<{ state: string }>`
    select distinct case when regressed_at is not null then 'regressed' else status::text end as state
    from error_groups order by 1`.execute(t.db);
  assert.deepEqual(
    states.map(({ state }) => state),
    ["0", "1", "2", "regressed"],
  );
  const { rows: releases } = await sql<{ id: number }>`
    select g.id from error_groups g where (g.release, g.last_release) is distinct from (
      select row((array_agg(r.release order by r.appearance))[1], (array_agg(r.release order by r.appearance desc))[1])
      from error_group_releases r where r.group_id = g.id)`.execute(t.db);
  assert.deepEqual(releases, []);
});

test("everything can be read through the API and matches its documented schemas", async () => {
  const projects = (await read("/api/projects")).data as { id: number }[];
  for (const { id } of projects) {
    const url = `/api/projects/${id}`;
    for (const list of ["members", "lanes", "labels", "sprints", "epics", "tokens"])
      assert.ok((await read(`${url}/${list}`)).data.length > 0, list);
    const groups = (await read(`${url}/error-groups`)).data as {
      id: number;
      linked_issue_id: number | null;
    }[];
    assert.equal(groups.length, SIZE.groups / 3);
    assert.ok(groups.some((group) => group.linked_issue_id !== null));
    for (const group of groups) await read(`${url}/error-groups/${group.id}`);
    const issues = (await read(`${url}/issues?limit=200`)).data as { id: number; comments_count: number }[];
    assert.equal(issues.length, SIZE.issues / 3);
    for (const issue of issues) {
      assert.ok((await read(`${url}/issues/${issue.id}/activity`)).data.length > 0);
      const comments = await read(`${url}/issues/${issue.id}/comments`);
      assert.equal(comments.meta.count, issue.comments_count);
    }
    for (const view of ["active", "promoted", "dismissed"])
      assert.ok((await read(`${url}/reports?view=${view}`)).length > 0, view);
  }
  const inbox = (await read("/api/notifications")) as { read_at: string | null }[];
  assert.ok(inbox.some((entry) => entry.read_at === null));
  assert.ok(inbox.some((entry) => entry.read_at !== null));
});

test("a new event of the same error counts in the demo's group", async () => {
  const group = await t.db
    .selectFrom("error_groups as g")
    .innerJoin("error_group_details as d", "d.group_id", "g.id")
    .select([
      "g.id",
      "g.project_id",
      "g.occurrence_count",
      "g.exception_class",
      "g.environment",
      "d.stack_trace",
    ])
    .orderBy("g.id")
    .limit(1)
    .executeTakeFirstOrThrow();
  const { body } = await browser.post("/api/profile/tokens", { name: "program", write: true });
  const { exception_class, environment, stack_trace } = group;
  const sent = await t.http.as(body.token).post(`/api/projects/${group.project_id}/error-events`, {
    exception_class,
    environment,
    stack_trace,
    message: "",
  });
  assert.equal(sent.status, 202, sent.text);
  const after = await read(`/api/projects/${group.project_id}/error-groups/${group.id}`);
  assert.equal(after.occurrence_count, group.occurrence_count + 1);
});

test("pictures of reports and people exist, and there are no orphaned files", async () => {
  const { rows } = await sql<{ url: string }>`
    select '/api/projects/' || project_id || '/reports/' || report_id || '/attachments/' || id || '/download' as url
    from attachments union all
    select profile_picture ->> format from users, unnest(array['avif', 'webp']) format
    where profile_picture is not null`.execute(t.db);
  assert.ok(rows.length > 16);
  for (const { url } of rows) {
    const { status, headers, text } = await browser.get(url);
    assert.equal(status, 200, `${url} ${text}`);
    assert.match(String(headers["content-type"]), /^image\//);
  }
  const { files, removed } = await sweepFiles(t.db, t.storage, Date.now() + 7_200_000);
  assert.deepEqual({ files, removed }, { files: rows.length, removed: 0 });
});

test("no email is sent", async () => {
  assert.equal(queuedMails, 0);
  assert.equal(await count("new_error_groups"), 0);
});

test("with existing users it fails without changes; with --anyway it creates another workspace with the same content", async () => {
  const before = await titles();
  await assert.rejects(fill(), /--anyway/);
  assert.equal(await count("workspaces"), 1);
  assert.deepEqual(await titles(), before);
  const filled = await fill(true);
  assert.equal(filled.isNew, false);
  assert.equal(filled.administratorId, administratorId);
  assert.equal(await count("workspaces"), 2);
  const projects = (await read("/api/projects")).data as { key: string }[];
  assert.deepEqual(
    projects.slice(3).map(({ key }) => key),
    ["SHOP2", "RIDE2", "DEPOT2"],
  );
  assert.deepEqual(
    await titles(),
    before
      .toSorted()
      .flatMap((title) => [title, title])
      .toSorted(),
  );
});

test("the command prints a password that the administrator can sign in with, and fails the second time", async () => {
  const database = await cloneDatabase();
  const home = await makeHome();
  try {
    const settings = { DATABASE_URL: database.url, LOG_LEVEL: "warn" };
    const made = await run(home, ["demo"], settings);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^\S{20,}\n$/);
    const app = await openAppOn(database.url);
    try {
      const password = made.stdout.trim();
      assert.equal((await app.http.post("/api/session", { email: EMAIL, password })).status, 200);
      assert.equal((await app.http.post("/api/setup", {})).status, 403);
      const { rows } = await sql<{ n: number[] }>`
        select array[(select count(*) from error_groups), (select count(*) from issues), (select count(*) from reports)]
          as n`.execute(app.db);
      assert.deepEqual(rows[0]?.n, [500, 300, 120]);
    } finally {
      await app.close();
    }
    const again = await run(home, ["demo"], settings);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^This installation already has users\. [^\n]+\n$/);
  } finally {
    await home.remove();
    await database.drop();
  }
});

type Countable =
  | "users"
  | "workspaces"
  | "error_groups"
  | "error_group_releases"
  | "error_group_hosts"
  | "issues"
  | "reports"
  | "mails"
  | "new_error_groups";

async function count(table: Countable): Promise<number> {
  const { n } = await t.db
    .selectFrom(table)
    .select((of) => of.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

async function titles(): Promise<string[]> {
  const rows = await t.db.selectFrom("reports").select("title").orderBy("title").execute();
  return rows.map((row) => row.title);
}

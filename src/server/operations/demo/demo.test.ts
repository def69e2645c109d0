import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeCookie } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { sweepFiles } from "../../files/storage/sweep-files.ts";
import { verifyFixes } from "../../intake/error-groups/verify-fixes.ts";
import { fillDemo } from "./fill-demo.ts";

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
        and resolved_release is not distinct from last_release and resolved_after_release is not null
        and (resolved_by_issue_id is null) = (resolved_in is null)
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

test("kept events show what clients send, without what the project's privacy rules remove", async () => {
  const events = await Promise.all(
    ["SHOP", "DEPOT"].map(async (key) => {
      const groups = (await read(`/api/projects/${key}/error-groups?limit=500`)).data as {
        id: number;
      }[];
      return Promise.all(
        groups.map(({ id }) => read(`/api/projects/${key}/error-groups/${id}/events/latest`)),
      );
    }),
  );
  const stories = events
    .flat()
    .filter(({ frames }) => frames.some(({ context_line = "" }) => context_line !== ""));
  assert.deepEqual([...new Set(stories.map(({ runtime }) => runtime.name))].sort(), [
    "chrome",
    "go",
    "java",
    "node",
    "python",
  ]);
  for (const { frames, tags, contexts, breadcrumbs } of stories) {
    assert.ok(frames.some(({ in_app }: { in_app: boolean }) => in_app));
    for (const part of [tags, contexts, breadcrumbs]) assert.ok(Object.keys(part).length > 0);
  }
  const node = stories.find(({ runtime }) => runtime.name === "node");
  assert.equal(node.previous_exceptions.length, 1);
  assert.equal(node.request.path, "/orders");
  assert.deepEqual(Object.keys(node.removed).sort(), ["Loyalty number", "email"]);
});

test("one fix can be followed from the report to its verification", async () => {
  const groups = (await read("/api/projects/SHOP/error-groups?status=1&limit=500")).data as {
    id: number;
    linked_issue_id: number | null;
    verified_at: string | null;
  }[];
  const fixed = await Promise.all(
    groups
      .filter(({ linked_issue_id }) => linked_issue_id !== null)
      .map(async (group) => ({
        ...group,
        reports: (await read(`/api/projects/SHOP/error-groups/${group.id}/reports`)) as {
          promoted_issue_id: number;
          created_at: string;
        }[],
      })),
  );
  const { reports, ...group } = fixed.find(({ reports }) => reports.length > 0) as (typeof fixed)[number];
  const issue = await read(`/api/projects/SHOP/issues/${group.linked_issue_id}`);
  const steps = [reports[0]?.created_at, issue.created_at, issue.closed_at, group.verified_at];
  assert.deepEqual(
    steps.toSorted((a, b) => Date.parse(a) - Date.parse(b)),
    steps,
  );
  assert.ok(reports.every(({ promoted_issue_id }) => promoted_issue_id === issue.id));
  const { data } = await read(`/api/projects/SHOP/error-groups/${group.id}/activity`);
  assert.deepEqual(
    data
      .map(({ kind }: { kind: string }) => kind)
      .filter((kind: string) => kind !== "assigned" && kind !== "first_in_release"),
    ["first_seen", "linked", "resolved", "verified"],
  );
  const before = await count("error_group_activity");
  await verifyFixes(t.db);
  assert.equal(await count("error_group_activity"), before, "everything that can be verified is");
});

test("errors are assigned, discussed, snoozed and merged, and a regression has reopened an issue", async () => {
  const { rows } = await sql<Record<string, number>>`
    select
      (select count(*) from error_groups where assignee_id is not null)::int as assigned,
      (select count(*) from error_groups where status = 2 and snooze_ends_count > occurrence_count
        and snoozed_until = '{"occurrences": 50}')::int as snoozed,
      (select count(*) from error_group_aliases)::int as merged,
      (select count(*) from comments where error_group_id is not null and parent_id is not null)::int as replies,
      (select count(*) from comments where report_id is not null)::int as of_reports,
      (select count(*) from issue_activity a join issues i on i.id = a.issue_id
        where a.kind = 'regressed' and i.closed_at is null)::int as reopened,
      (select count(distinct type) from notifications)::int as types`.execute(t.db);
  const { types = 0, merged, ...others } = rows[0] ?? {};
  assert.equal(merged, 1);
  assert.ok(types >= 13);
  for (const [name, number] of Object.entries(others)) assert.ok((number ?? 0) > 0, name);
});

test("a release's counts are those of its groups, and every release was deployed with a commit", async () => {
  const { rows } = await sql`
    select r.version from releases r join release_counts c on c.release_id = r.id
    where c.new_groups <> (select count(*) from error_groups g where g.project_id = r.project_id and g.release = r.version)
      or exists (select from error_groups g where g.project_id = r.project_id and g.release = r.version
        and g.first_seen_at < r.first_seen_at)
      or not exists (select from release_deploys d where d.release_id = r.id and d.commit is not null and d.url is not null)`.execute(
    t.db,
  );
  assert.deepEqual(rows, []);
  const { data } = await read("/api/projects/SHOP/releases");
  assert.deepEqual(
    data.map(({ version }: { version: string }) => version),
    ["4.12.0", "4.11.1", "4.11.0", "4.10.1", "4.10.0", "4.9.1", "4.9.0"],
  );
  // The oldest one was replaced before the first error that is still counted.
  assert.ok(data.slice(0, -1).every(({ events }: { events: number }) => events > 0));
  for (const column of ["new_groups", "regressed_groups", "resolved_groups"])
    assert.ok(
      data.some((release: Record<string, number>) => (release[column] ?? 0) > 0),
      column,
    );
});

test("projects have privacy and inbound rules, and usage that agrees with their counts", async () => {
  const rules = (await read("/api/projects/SHOP/privacy-rules")).data as { built_in: boolean }[];
  assert.equal(rules.filter(({ built_in }) => !built_in).length, 3);
  const inbound = (await read("/api/projects/SHOP/inbound-rules")).data as { dropped_30_days: number }[];
  const dropped = inbound.reduce((sum, { dropped_30_days }) => sum + dropped_30_days, 0);
  const usage = (await read("/api/projects/SHOP/usage?days=30")).data as Record<string, number>[];
  const sum = (outcome: string) => usage.reduce((total, day) => total + (day[outcome] ?? 0), 0);
  assert.ok(dropped > 0);
  assert.equal(sum("filtered"), dropped);
  assert.ok(sum("limited") > 0);
  assert.ok(sum("kept") < sum("accepted"));
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

type Countable =
  | "users"
  | "workspaces"
  | "error_groups"
  | "error_group_releases"
  | "error_group_hosts"
  | "error_group_activity"
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

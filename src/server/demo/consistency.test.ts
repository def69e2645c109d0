import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { checkOpenCounts } from "../../../test/support/check-open-counts.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { countRows, DEMO_SIZE, fillSmallDemo, readDemo } from "../../../test/support/demo.ts";
import type { GitLink } from "../../shared/git.ts";
import { verifyFixes } from "../errors/groups/verify-fixes.ts";
import { notifyDoneReports } from "../errors/releases/notify-done-reports.ts";

/** What the demo inserts directly is what the product would have stored. */

const t = await useTestApp();
const { administratorId } = await fillSmallDemo(t);
const { read } = await readDemo(t, administratorId);

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
  assert.ok((await countRows(t.db, "error_group_releases")) > DEMO_SIZE.groups);
  assert.ok((await countRows(t.db, "error_group_hosts")) > DEMO_SIZE.groups / 2);
  const { rows: users } = await sql<{ id: number }>`
    select c.group_id as id from error_group_counts c
    where (c.users, c.users_seen_since) is distinct from (
      select row(count(*)::int, coalesce(min(u.last_seen_at), 'infinity')) from error_group_users u where u.group_id = c.group_id)`.execute(
    t.db,
  );
  assert.deepEqual(users, []);
});

test("the latest release of each project has sessions, of which few crashed, and users", async () => {
  const { rows } = await sql<{ sessions: number; crashed: number; users: number }>`
    select (select sum(sessions)::int from release_sessions where release_id = r.id) as sessions,
      (select sum(crashed)::int from release_sessions where release_id = r.id) as crashed,
      (select users from release_user_counts where release_id = r.id and day is null) as users
    from projects p cross join lateral latest_release(p.id) r`.execute(t.db);
  assert.equal(rows.length, 3);
  for (const { sessions, crashed, users } of rows)
    assert.ok(users > 0 && crashed > 0 && crashed < sessions / 20, `${sessions} ${crashed} ${users}`);
});

test("the jobs of each project ran as scheduled, and are next due in the future", async () => {
  const { rows } = await sql<{ monitors: number; runs: number; failed: number; wrong: number }>`
    select count(distinct m.id)::int as monitors, count(*)::int as runs,
      count(*) filter (where c.status <> 'ok')::int as failed,
      count(*) filter (where c.finished_at > now() or e.next_due_at <= c.due_at or e.missed_at < now())::int as wrong
    from monitors m join monitor_environments e on e.monitor_id = m.id join monitor_check_ins c on c.environment_id = e.id
    group by m.project_id`.execute(t.db);
  assert.equal(rows.length, 3);
  for (const { monitors, runs, failed, wrong } of rows)
    assert.ok(
      monitors === 3 && runs > 100 && failed === 1 && wrong === 0,
      `${monitors} ${runs} ${failed} ${wrong}`,
    );
});

test("the numbers of open errors and issues are those of the tables", () => checkOpenCounts(t.db));

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

test("authors of reports are subscribed and talk to the team, and no email is queued for them", async () => {
  const { rows } = await sql<Record<string, number>>`
    select count(*) filter (where s.confirmed_at is not null)::int as confirmed,
      count(*) filter (where s.confirmed_at is null)::int as unconfirmed,
      count(*) filter (where exists (
        select from comments c where c.report_id = r.id and c.is_public and c.user_id is null))::int as messages,
      count(*) filter (where exists (
        select from comments c where c.report_id = r.id and c.is_public and c.user_id is not null))::int as replies
    from report_subscriptions s join reports r on r.id = s.report_id`.execute(t.db);
  for (const [name, number] of Object.entries(rows[0] ?? {})) assert.ok(number > 0, name);
  const { rows: wrong } = await sql`
    select r.id from reports r left join report_subscriptions s on s.report_id = r.id and s.email = r.author_email
    where r.author_email_confirmed <> (s.confirmed_at is not null)
      or exists (select from comments c where c.report_id = r.id and c.created_at not between r.created_at and now())`.execute(
    t.db,
  );
  assert.deepEqual(wrong, []);
  await notifyDoneReports(t.db);
  const { rows: mails } = await sql`select id from mails where subscription_id is not null`.execute(t.db);
  assert.deepEqual(mails, []);
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
  const before = await countRows(t.db, "error_group_activity");
  await verifyFixes(t.db);
  assert.equal(await countRows(t.db, "error_group_activity"), before, "everything that can be verified is");
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

test("issues show their requests up to the release, and errors show suspect commits and owners", async () => {
  const { rows: issues } = await sql<{ project_id: number; id: number; group_id: number }>`
    select g.project_id, i.id, g.id as group_id from issues i join error_groups g on g.linked_issue_id = i.id
    where exists (select from git_links l where l.group_id = g.id)`.execute(t.db);
  assert.ok(issues.length > 3, String(issues.length));
  const links: GitLink[] = [];
  let suspects = 0;
  for (const { project_id, id, group_id } of issues) {
    const project = `/api/projects/${project_id}`;
    links.push(...(await read(`${project}/issues/${id}`)).git_links);
    const group = await read(`${project}/error-groups/${group_id}`);
    assert.ok(group.git_links.length > 0);
    suspects += (await read(`${project}/error-groups/${group_id}/suspects`)).data.length;
  }
  assert.ok(links.some(({ state, release }) => state === "merged" && release !== null));
  assert.ok(suspects > 0);
});

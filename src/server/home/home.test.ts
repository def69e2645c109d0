import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../test/support/board.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { makeErrorGroup } from "../../../test/support/make-error-group.ts";
import { makeCookie, makeMember, makeUser, makeWorkspace } from "../../../test/support/make.ts";
import { openProject } from "../../../test/support/project.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import type { Home } from "../../shared/home.ts";

const t = await useTestApp();

const daysAgo = (days: number) => sql<string>`(now() at time zone 'UTC')::date - ${days}::int`;

/** A board in a workspace of its own, with a member whose home page is read. */
async function open(role: "Member" | "Reporter" = "Member") {
  const workspace = await makeWorkspace(t.db);
  const board = await openBoard(t, workspace);
  const user = await makeMember(t.db, board.id, { role });
  const client = t.http.withCookie(await makeCookie(t.db, user.id));
  const read = async (): Promise<Home> => {
    const answer = await client.get("/api/home");
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const leave = async ({ read_at }: Home) => {
    assert.equal((await client.post("/api/home/visit", { seen_at: read_at })).status, 204);
  };
  /** Moves all recorded times back, as if half an hour had passed. */
  const wait = async () => {
    const back = sql`- interval '31 minutes'`;
    await sql`update home_visits set seen_at = seen_at ${back}, before_at = before_at ${back}`.execute(t.db);
    await sql`update issue_activity set created_at = created_at ${back}`.execute(t.db);
    await sql`update comments set created_at = created_at ${back}`.execute(t.db);
  };
  return { workspace, board, user, client, read, leave, wait };
}

test("changes are those by others, to issues that the caller watches or is assigned to", async () => {
  const { board, user, client, read } = await open();
  const assigned = await board.make({ title: "Assigned", assignee_id: user.id });
  const watched = await board.make({ title: "Watched" });
  await board.make({ title: "Neither" });
  await client.post(`${board.issues}/${watched.id}/watch`);
  await board.admin.patch(`${board.issues}/${watched.id}`, { priority: 0, title: "Watched closely" });
  await board.admin.post(`${board.issues}/${assigned.id}/comments`, { content: "First" });
  await board.admin.post(`${board.issues}/${assigned.id}/comments`, { content: "Second" });
  await client.post(`${board.issues}/${watched.id}/comments`, { content: "By the caller" });
  const { changes, is_first_visit } = await read();
  assert.equal(is_first_visit, true);
  assert.deepEqual(
    changes.map(({ id, title, changed, new_comments, actor }) => [
      id,
      title,
      changed,
      new_comments,
      actor?.id,
    ]),
    [
      [assigned.id, "Assigned", ["created"], 2, board.adminId],
      [watched.id, "Watched closely", ["created", "priority", "title"], 0, board.adminId],
    ],
  );
});

test("after a visit only later changes are listed, and going back within half an hour shows the same ones", async () => {
  const { board, user, read, leave, wait } = await open();
  const issue = await board.make({ assignee_id: user.id });
  const comment = () => board.admin.post(`${board.issues}/${issue.id}/comments`, { content: "New" });
  const news = async () => (await read()).changes.map(({ new_comments }) => new_comments);

  const first = await read();
  await leave(first);
  assert.deepEqual(await news(), [0], "the first visit continues");
  await wait();
  const second = await read();
  assert.deepEqual([second.changes, second.is_first_visit], [[], false]);
  await comment();
  await leave(await read());
  assert.deepEqual(await news(), [1], "the second visit continues");
  await wait();
  assert.deepEqual(await news(), []);
  await leave(first);
  assert.deepEqual(await news(), [], "an earlier response does not bring back what was seen");
});

test("a visit in the future counts as one now", async () => {
  const { board, user, client, read, wait } = await open();
  const visit = await client.post("/api/home/visit", { seen_at: "2999-01-01T00:00:00Z" });
  assert.equal(visit.status, 204);
  await wait();
  await board.make({ assignee_id: user.id });
  assert.equal((await read()).changes.length, 1);
});

test("work contains the caller's issues in progress, most recently changed first", async () => {
  const { board, user, read } = await open();
  const doing = { lane_id: board.lanes.doing, assignee_id: user.id };
  const one = await board.make(doing);
  const two = await board.make(doing);
  await board.make({ ...doing, lane_id: board.lanes.todo });
  await board.make({ ...doing, assignee_id: board.adminId });
  await board.admin.patch(`${board.issues}/${one.id}`, { title: "Changed" });
  assert.deepEqual(
    (await read()).work.map(({ id, lane_kind }) => [id, lane_kind]),
    [
      [one.id, "doing"],
      [two.id, "doing"],
    ],
  );
});

test("at most five waiting reports, oldest first, and regressions, latest first, are listed across all projects", async () => {
  const workspace = await makeWorkspace(t.db);
  const [one, two] = [await openProject(t, workspace), await openProject(t, workspace)];
  const made: number[] = [];
  for (const project of [one, two, one, two, one, two, one]) {
    const url = `/api/projects/${project.id}/reports`;
    made.push((await project.admin.post(url, { title: `Report ${made.length}`, description: "x" })).body.id);
  }
  await one.admin.post(`/api/projects/${one.id}/reports/${made[0]}/dismiss`, { category: "invalid" });
  const groups: number[] = [];
  for (const [hours, status] of [
    [3, 0],
    [1, 0],
    [2, 0],
    [0, 1],
  ] as const) {
    const { id } = await makeErrorGroup(t.db, hours % 2 ? one : two, { status });
    await sql`update error_groups set regressed_at = now() - make_interval(hours => ${hours}::int)
      where id = ${id}`.execute(t.db);
    groups.push(id);
  }
  const home: Home = (await one.admin.get("/api/home")).body;
  assert.deepEqual(
    home.waiting.map(({ id }) => id),
    made.slice(1, 6),
  );
  assert.deepEqual(
    home.regressions.map(({ id }) => id),
    [groups[1], groups[2], groups[0]],
  );
});

test("among more than five projects, the listed reports and regressions are the first ones of all, with equal times by id", async () => {
  const workspace = await makeWorkspace(t.db);
  const admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const items: { hours: number; report: number; group: number }[] = [];
  for (const ofProject of [[9, 8], [1], [7], [3, 3, 3], [2], [3], [6], [], [9, 9], [4]]) {
    const project = await openProject(t, workspace);
    for (const hours of ofProject) {
      const url = `/api/projects/${project.id}/reports`;
      const { id: report } = (await project.admin.post(url, { title: "One", description: "x" })).body;
      const { id: group } = await makeErrorGroup(t.db, project);
      const at = sql`timestamptz '2026-01-02Z' + make_interval(hours => ${hours}::int)`;
      await sql`update reports set created_at = ${at} where id = ${report}`.execute(t.db);
      await sql`update error_groups set regressed_at = ${at} where id = ${group}`.execute(t.db);
      items.push({ hours, report, group });
    }
    await makeErrorGroup(t.db, project);
  }
  const { waiting, regressions }: Home = (await admin.get("/api/home")).body;
  assert.deepEqual(
    waiting.map(({ id }) => id),
    items
      .toSorted((a, b) => a.hours - b.hours || a.report - b.report)
      .slice(0, 5)
      .map(({ report }) => report),
  );
  assert.deepEqual(
    regressions.map(({ id }) => id),
    items
      .toSorted((a, b) => b.hours - a.hours || b.group - a.group)
      .slice(0, 5)
      .map(({ group }) => group),
  );
});

test("each project has its numbers", async () => {
  const workspace = await makeWorkspace(t.db);
  const project = await openProject(t, workspace);
  const board = await openBoard(t, workspace);
  const url = `/api/projects/${project.id}`;
  await makeErrorGroup(t.db, project);
  const regressed = await makeErrorGroup(t.db, project, { first_seen: 2 });
  await t.db
    .updateTable("error_groups")
    .set({ regressed_at: sql`now()` })
    .where("id", "=", regressed.id)
    .execute();
  await makeErrorGroup(t.db, project, { status: 1 });
  await project.admin.post(`${url}/reports`, { title: "One", description: "x" });
  const closed = await board.make();
  await board.admin.patch(`${board.issues}/${closed.id}`, { lane_id: board.lanes.done });
  await board.make();
  const read = async (): Promise<Home["projects"]> => (await project.admin.get("/api/home")).body.projects;
  const none = Array.from({ length: 14 }, () => 0);
  await eventually(read, [
    {
      project_id: project.id,
      waiting_reports: 1,
      new_reports: 1,
      open_errors: 2,
      regressed_errors: 1,
      new_errors: 2,
      open_issues: 0,
      new_issues: 0,
      daily_counts: none.with(13, 3),
    },
    {
      project_id: board.id,
      waiting_reports: 0,
      new_reports: 0,
      open_errors: 0,
      regressed_errors: 0,
      new_errors: 0,
      open_issues: 1,
      new_issues: 2,
      daily_counts: none,
    },
  ]);
  const counts = { waiting_reports: 1, open_errors: 2, regressed_errors: 1, new_errors: 2, monitors: 0 };
  assert.deepEqual((await project.admin.get(`${url}/counts`)).body, counts);
});

test("errors first seen since midnight UTC count as new", async () => {
  const project = await openProject(t, await makeWorkspace(t.db));
  const { id } = await makeErrorGroup(t.db, project);
  const earlier = await makeErrorGroup(t.db, project);
  const firstSeen = async (group: number, ago: string) =>
    sql`update error_groups set first_seen_at = date_trunc('day', now(), 'UTC') - ${ago}::interval
      where id = ${group}`.execute(t.db);
  await firstSeen(id, "0");
  await firstSeen(earlier.id, "1 millisecond");
  const { body } = await project.admin.get(`/api/projects/${project.id}/counts`);
  assert.equal(body.new_errors, 1);
});

test("at most 1,000 new errors of a project are counted", async () => {
  const project = await openProject(t, await makeWorkspace(t.db));
  const { id } = await makeErrorGroup(t.db, project);
  const { rows } = await sql<{ column_name: string }>`select column_name from information_schema.columns
    where table_name = 'error_groups' and is_identity = 'NO' and is_generated = 'NEVER'
      and column_name <> 'key'`.execute(t.db);
  const copied = sql.join(rows.map(({ column_name }) => sql.ref(column_name)));
  await sql`insert into error_groups (key, ${copied})
    select sha256(n::text::bytea), ${copied} from error_groups, generate_series(1, 1001) n where id = ${id}`.execute(
    t.db,
  );
  const { body } = await project.admin.get(`/api/projects/${project.id}/counts`);
  assert.equal(body.new_errors, 1_000);
});

test("the day strip has the accepted events of the last 14 days", async () => {
  const project = await openProject(t, await makeWorkspace(t.db));
  const counts = { kept: 1, limited: 50, invalid: 1, filtered: 2, duplicate: 3, discarded: 4 };
  for (const [ago, accepted] of [
    [0, 7],
    [2, 3_000_000_000],
    [13, 9],
    [14, 99],
  ] as const)
    await t.db
      .insertInto("project_usage")
      .values({ project_id: project.id, day: daysAgo(ago), accepted, ...counts })
      .execute();
  const { projects }: Home = (await project.admin.get("/api/home")).body;
  assert.deepEqual(projects[0]?.daily_counts, [9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3_000_000_000, 0, 7]);
});

test("numbers that the caller may not read, and those of features that are off, are null", async () => {
  const { board, workspace, client, read } = await open("Reporter");
  const { projects } = await read();
  assert.deepEqual(
    projects.map(({ waiting_reports, open_errors, daily_counts }) => [
      waiting_reports,
      open_errors,
      daily_counts,
    ]),
    [[0, null, null]],
  );
  const admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const off = { features: { reports: false, error_tracking: false } };
  assert.equal((await admin.patch(`/api/workspaces/${workspace.id}`, off)).status, 200);
  const none = {
    waiting_reports: null,
    open_errors: null,
    regressed_errors: null,
    new_errors: null,
    monitors: null,
  };
  for (const by of [client, admin]) assert.deepEqual((await by.get(`${board.url}/counts`)).body, none);
});

test("with more than 100 projects, the home page has numbers for the caller's own and then for the first ones by name", async () => {
  const workspace = await makeWorkspace(t.db);
  const values = Array.from({ length: 120 }, (_, n) => ({
    workspace_id: workspace.id,
    key: `NUMB${n}`,
    name: `P ${String(999 - n)}`,
  }));
  const made = await t.db.insertInto("projects").values(values).returning("id").execute();
  const ids = made.map(({ id }) => id);
  const last = ids[0] ?? 0;
  await makeMember(t.db, last, { user: workspace.admin });
  const admin = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const { projects }: Home = (await admin.get("/api/home")).body;
  assert.deepEqual(
    projects.map(({ project_id }) => project_id),
    [last, ...ids.slice(-99)],
  );
});

test("the first steps are done once an error, a report, an issue and a second person exist", async () => {
  const workspace = await makeWorkspace(t.db);
  const project = await openProject(t, workspace);
  const url = `/api/projects/${project.id}`;
  const steps = async () => ((await project.admin.get("/api/home")).body as Home).first_steps;
  const done = { has_error: false, has_report: false, has_issue: false, has_invited: false };
  assert.deepEqual(await steps(), done);
  await makeErrorGroup(t.db, project, { status: 1 });
  assert.deepEqual(await steps(), { ...done, has_error: true });
  const { body: report } = await project.admin.post(`${url}/reports`, { title: "One", description: "x" });
  await project.admin.post(`${url}/reports/${report.id}/dismiss`, { category: "invalid" });
  assert.deepEqual(await steps(), { ...done, has_error: true, has_report: true });
  await project.admin.post(`${url}/issues`, { title: "One" });
  assert.deepEqual(await steps(), { ...done, has_error: true, has_report: true, has_issue: true });
  const invitation = { email: "bea@example.com", is_admin: false, projects: [] };
  const sent = await project.admin.post(`/api/workspaces/${workspace.id}/invitations`, invitation);
  assert.equal(sent.status, 201, sent.text);
  const all = { has_error: true, has_report: true, has_issue: true, has_invited: true };
  assert.deepEqual(await steps(), all);
  await t.db.deleteFrom("invitations").where("workspace_id", "=", workspace.id).execute();
  const member = await makeMember(t.db, project.id, { role: "Reporter" });
  assert.deepEqual(await steps(), all);
  const reporter = t.http.withCookie(await makeCookie(t.db, member.id));
  const { first_steps }: Home = (await reporter.get("/api/home")).body;
  assert.deepEqual([first_steps.has_error, first_steps.has_invited], [null, null]);
});

test("without any project, the home page is empty", async () => {
  const nobody = await makeUser(t.db);
  const client = t.http.withCookie(await makeCookie(t.db, nobody.id));
  const { changes, work, regressions, waiting, projects }: Home = (await client.get("/api/home")).body;
  assert.deepEqual([changes, work, regressions, waiting, projects], [[], [], [], [], []]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { anEvent, TRACES } from "../../../../test/support/error-events.ts";
import { makeMember, makePersonalToken, makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Issue, IssueActivity } from "../../../shared/issues.ts";
import type { Lane, LaneKind } from "../../../shared/lanes.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { reopenRegressedIssues } from "../../work/issues/reopen-regressed.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const LIFECYCLE = { close_resolves: true, regression_reopens: true };

/** A project with an issue, its lanes by kind, and groups of two errors that are linked to the issue. */
async function openLifecycle(lifecycle: object = LIFECYCLE) {
  const project = await openProject(t, workspace);
  const p = `/api/projects/${project.id}`;
  const { admin } = project;
  assert.equal((await admin.patch(p, { lifecycle })).status, 200);
  const lanes = (await admin.get(`${p}/lanes`)).body.data as Lane[];
  const lane = (kind: LaneKind) => lanes.find((one) => one.kind === kind) as Lane;
  await project.send({ release: "1.0.0" });
  await project.send({ release: "1.0.0", stack_trace: TRACES.search });
  const groups = ((await admin.get(project.groups)).body.data as ErrorGroup[]).map(({ id }) => id).toSorted();
  const issue = (await admin.post(`${p}/issues`, { title: "Fix it" })).body as Issue;
  for (const id of groups) await link(project, id, issue.key);
  const move = async (kind: LaneKind, id = issue.id) =>
    assert.equal((await admin.patch(`${p}/issues/${id}`, { lane_id: lane(kind).id })).status, 200);
  const read = async (id = groups[0]) => (await admin.get(`${project.groups}/${id}`)).body as ErrorGroup;
  const readIssue = async () => (await admin.get(`${p}/issues/${issue.id}`)).body as Issue;
  return { project, p, admin, lane, groups, issue, move, read, readIssue };
}

const link = (project: TestProject, id: number, issue: string | number) =>
  project.admin.post(`${project.groups}/${id}/link`, { issue });

const runJob = () => reopenRegressedIssues(t.db, new AbortController().signal);
const statuses = async (read: (id: number) => Promise<ErrorGroup>, groups: number[]) =>
  (await Promise.all(groups.map(read))).map((group) => group.status);

test("an issue can have several groups, and error_group_id is the first one linked", async () => {
  const { project, admin, groups, issue, readIssue } = await openLifecycle();
  const [first, second] = groups as [number, number];
  assert.deepEqual(
    [(await readIssue()).error_group_id, (await readIssue()).error_group_ids],
    [first, groups],
  );
  const again = await link(project, first, issue.id);
  assert.deepEqual([again.status, again.body.linked_issue_id], [200, issue.id]);
  const unlinked = await admin.delete(`${project.groups}/${first}/link`);
  assert.deepEqual([unlinked.status, unlinked.body.linked_issue_id], [200, null]);
  assert.deepEqual((await admin.delete(`${project.groups}/${first}/link`)).body, unlinked.body);
  assert.deepEqual(
    [(await readIssue()).error_group_id, (await readIssue()).error_group_ids],
    [second, [second]],
  );
});

test("a group that is linked to another issue is 409 with its name, and an unknown issue 422", async () => {
  const { project, p, admin, groups } = await openLifecycle();
  const other = (await admin.post(`${p}/issues`, { title: "Another" })).body as Issue;
  const refused = await link(project, groups[0] as number, other.id);
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /already linked to [A-Z0-9]+-\d+ “/);
  const foreign = await makeProject(t.db, workspace.id);
  const elsewhere = (await admin.post(`/api/projects/${foreign.id}/issues`, { title: "Elsewhere" }))
    .body as Issue;
  await admin.delete(`${project.groups}/${groups[0]}/link`);
  for (const issue of [elsewhere.id, elsewhere.key, 999_999_999, "nonsense"]) {
    const answer = await link(project, groups[0] as number, issue);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["issue"]], String(issue));
  }
  const reporter = await makeMember(t.db, project.id, { role: { permissions: ["error-groups:update"] } });
  const without = t.http.as(await makePersonalToken(t.db, reporter.id));
  assert.equal((await without.post(`${project.groups}/${groups[0]}/link`, { issue: other.id })).status, 403);
});

test("the settings are off unless turned on, and a change leaves the others as they are", async () => {
  const project = await openProject(t, workspace);
  const p = `/api/projects/${project.id}`;
  const off = { close_resolves: false, regression_reopens: false, ship_tells_reporters: false };
  assert.deepEqual((await project.admin.get(p)).body.lifecycle, off);
  const changed = await project.admin.patch(p, { lifecycle: { regression_reopens: true } });
  assert.deepEqual(changed.body.lifecycle, { ...off, regression_reopens: true });
  const body = { workspace_id: workspace.id, key: "LIFE", name: "Life", lifecycle: { close_resolves: true } };
  const created = await project.admin.post("/api/projects", body);
  assert.deepEqual(created.body.lifecycle, { ...off, close_resolves: true });
});

test("closing an issue resolves its open groups in the next release, on behalf of the user", async () => {
  const { admin, project, groups, move, read } = await openLifecycle();
  await admin.post(`${project.groups}/${groups[1]}/ignore`);
  await move("doing");
  assert.deepEqual(await statuses(read, groups), [0, 2]);
  await move("done");
  const group = await read();
  assert.deepEqual(
    [group.status, group.resolved_in, group.resolved_by_id],
    [1, { mode: "next_release", release: null }, workspace.admin.id],
  );
  assert.equal((await read(groups[1])).status, 2);
});

test("reopening an issue opens the groups that closing it resolved, unless someone has touched them since", async () => {
  const { admin, project, groups, move, read } = await openLifecycle();
  await move("done");
  await admin.patch(`${project.groups}/${groups[1]}`, { assignee_id: workspace.admin.id });
  await move("doing");
  assert.deepEqual(await statuses(read, groups), [0, 1]);
  await move("done");
  await admin.post(`${project.groups}/${groups[0]}/resolve`, { in: "next_release" });
  await move("todo");
  assert.deepEqual(await statuses(read, groups), [1, 1]);
});

test("without the settings, closing an issue and a regression change nothing else", async () => {
  const { project, groups, move, read, readIssue } = await openLifecycle({});
  await move("done");
  assert.deepEqual(await statuses(read, groups), [0, 0]);
  await project.admin.post(`${project.groups}/${groups[0]}/resolve`);
  await project.send({ release: "1.1.0" });
  await runJob();
  assert.notEqual((await readIssue()).closed_at, null);
});

test("a lane whose kind becomes done resolves the groups of its issues, and opens them when it changes back", async () => {
  const { p, admin, lane, groups, move, read } = await openLifecycle();
  await move("doing");
  const change = async (kind: LaneKind) =>
    assert.equal((await admin.patch(`${p}/lanes/${lane("doing").id}`, { kind })).status, 200);
  await change("done");
  assert.deepEqual(await statuses(read, groups), [1, 1]);
  await change("doing");
  assert.deepEqual(await statuses(read, groups), [0, 0]);
  assert.equal((await admin.delete(`${p}/lanes/${lane("doing").id}?move_to=${lane("done").id}`)).status, 204);
  assert.deepEqual(await statuses(read, groups), [1, 1]);
});

test("a regression reopens the closed issue once, in the first lane of kind todo, and the other groups stay resolved", async () => {
  const { project, p, admin, lane, groups, issue, move, read, readIssue } = await openLifecycle();
  await admin.patch(`${p}/issues/${issue.id}`, { assignee_id: workspace.admin.id });
  await move("done");
  await project.send({ release: "1.1.0" });
  assert.deepEqual((await statuses(read, groups)).toSorted(), [0, 1]);
  await runJob();
  const reopened = await readIssue();
  assert.deepEqual(
    [reopened.lane_id, reopened.closed_at, reopened.assignee_id],
    [lane("todo").id, null, workspace.admin.id],
  );
  assert.deepEqual((await statuses(read, groups)).toSorted(), [0, 1]);
  const activity = (await admin.get(`${p}/issues/${issue.id}/activity`)).body.data as IssueActivity[];
  const regressed = activity.filter(({ kind }) => kind === "regressed");
  assert.deepEqual(
    regressed.map(({ actor_id, to }) => [actor_id, to]),
    [[null, { release: "1.1.0" }]],
  );
  const inbox = (await admin.get("/api/notifications?include=all&type=14")).body as Notification[];
  assert.deepEqual(
    inbox.map(({ notifiable, actor }) => [(notifiable as { id: number }).id, actor]),
    [[issue.id, null]],
  );
  await move("done");
  await project.send({ release: "1.1.0" });
  await runJob();
  assert.notEqual(
    (await readIssue()).closed_at,
    null,
    "an issue that was closed after the regression stays closed",
  );
});

test("without a lane of kind todo, a regression returns the issue to the backlog", async () => {
  const { project, p, admin, lane, move, readIssue } = await openLifecycle();
  await move("done");
  await admin.patch(`${p}/lanes/${lane("todo").id}`, { kind: "doing" });
  await project.send({ release: "1.1.0" });
  await runJob();
  assert.equal((await readIssue()).lane_id, lane("backlog").id);
});

test("an event does not wait for an issue that is being edited, and the issue is reopened afterwards", async () => {
  const { project, groups, issue, move, read, readIssue } = await openLifecycle();
  await move("done");
  await collide(
    t.database,
    `select from projects where id = ${project.id} for no key update; select from issues where id = ${issue.id} for no key update`,
    async () => {
      await project.send({ release: "1.1.0" });
      return [];
    },
  );
  assert.deepEqual((await statuses(read, groups)).toSorted(), [0, 1]);
  await runJob();
  assert.equal((await readIssue()).closed_at, null);
});

test("an issue that is deleted while its group regresses is gone, and the group is open", async () => {
  const { project, p, admin, groups, issue, move, read } = await openLifecycle();
  await move("done");
  const answers = await collide(
    t.database,
    `select from error_groups where project_id = ${project.id} for update`,
    async (waiting) => {
      const deleting = admin.delete(`${p}/issues/${issue.id}`);
      await waiting(1);
      const sending = project.sender.post(project.events, anEvent({ release: "1.1.0" }));
      await waiting(2);
      return [deleting, sending];
    },
  );
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [204, 202],
  );
  await runJob();
  assert.deepEqual((await statuses(read, groups)).toSorted(), [0, 1]);
  assert.equal((await read()).linked_issue_id, null);
});

test("deleting an issue ends its links, and the history of each group says so", async () => {
  const { project, p, admin, groups, issue, read } = await openLifecycle();
  assert.equal((await admin.delete(`${p}/issues/${issue.id}`)).status, 204);
  for (const id of groups) {
    assert.equal((await read(id)).linked_issue_id, null);
    const { data } = (await admin.get(`${project.groups}/${id}/activity`)).body;
    const { kind, actor_id, from, to } = data.at(-1) as ErrorGroupActivity;
    assert.deepEqual([kind, actor_id, from, to], ["unlinked", workspace.admin.id, issue.id, null]);
  }
});

test("two issues that are closed at once resolve the groups of both", async () => {
  const { project, p, admin, lane, groups, issue, read } = await openLifecycle();
  const other = (await admin.post(`${p}/issues`, { title: "Another" })).body as Issue;
  await admin.delete(`${project.groups}/${groups[1]}/link`);
  await link(project, groups[1] as number, other.id);
  const answers = await collide(
    t.database,
    `select from error_groups where project_id = ${project.id} for update`,
    async (waiting) => {
      const body = { lane_id: lane("done").id };
      const first = admin.patch(`${p}/issues/${issue.id}`, body);
      await waiting(1);
      const second = admin.patch(`${p}/issues/${other.id}`, body);
      await waiting(2);
      return [first, second];
    },
  );
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200],
  );
  assert.deepEqual(await statuses(read, groups), [1, 1]);
});

test("an issue that is closed twice at once resolves its groups once", async () => {
  const { project, p, admin, lane, groups, issue, read } = await openLifecycle();
  const close = () => admin.patch(`${p}/issues/${issue.id}`, { lane_id: lane("done").id });
  const answers = await collide(
    t.database,
    `select from error_groups where project_id = ${project.id} for update`,
    async (waiting) => {
      const first = close();
      await waiting(1);
      const second = close();
      await waiting(2);
      return [first, second];
    },
  );
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200],
  );
  assert.deepEqual(await statuses(read, groups), [1, 1]);
  for (const id of groups) {
    const { data } = (await admin.get(`${project.groups}/${id}/activity`)).body;
    const kinds = (data as ErrorGroupActivity[]).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["first_seen", "linked", "resolved"]);
  }
});

test("the email about an issue that a regression reopened follows the preference for watched activity", async () => {
  const { project, issue, move } = await openLifecycle();
  await move("done");
  await project.send({ release: "1.1.0" });
  await runJob();
  const subject = `%${issue.key} %reopened%`;
  const { rows } = await sql`select user_id, preference from mails where subject like ${subject}`.execute(
    t.db,
  );
  assert.deepEqual(rows, [{ user_id: workspace.admin.id, preference: "notify_watched_activity_email" }]);
});

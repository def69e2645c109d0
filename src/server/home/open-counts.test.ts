import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../test/support/board.ts";
import { checkOpenCounts } from "../../../test/support/check-open-counts.ts";
import { deleteHiddenRows } from "../../../test/support/delete-hidden-rows.ts";
import { makeCookie, makeProjectToken, makeWorkspace } from "../../../test/support/make.ts";
import { sendAs } from "../../../test/support/merge.ts";
import { openProject, type TestProject } from "../../../test/support/project.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { endDueSnoozes } from "../errors/groups/end-snoozes.ts";
import { deleteExpired } from "../errors/retention/delete-expired.ts";
import { combineOpenCounts } from "./combine-open-counts.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const project = await openProject(t, workspace);
  /** The numbers of open and of regressed error groups, after checking those of all projects. */
  const counts = async () => {
    await checkOpenCounts(t.db);
    const { body } = await project.admin.get(`/api/projects/${project.id}/counts`);
    return [body.open_errors, body.regressed_errors];
  };
  return { project, counts };
}

async function post({ admin }: TestProject, url: string, body?: object) {
  const answer = await admin.post(url, body);
  assert.equal(answer.status, 200, answer.text);
}

const rowsOf = async (projectId: number) =>
  (await t.db.selectFrom("open_counts").selectAll().where("project_id", "=", projectId).execute()).length;

test("open and regressed error groups are counted after new groups, repeated events and changes of their status", async () => {
  const { project, counts } = await open();
  assert.deepEqual(await counts(), [0, 0]);
  const { id } = await sendAs(project, "A", { release: "1.0" });
  await sendAs(project, "B");
  assert.deepEqual(await counts(), [2, 0]);
  const url = `${project.groups}/${id}`;
  await project.send({ release: "1.0" });
  await sendAs(project, "A", { release: "1.0" });
  assert.deepEqual(await counts(), [3, 0]);
  await post(project, `${url}/resolve`);
  assert.deepEqual(await counts(), [2, 0]);
  await sendAs(project, "A", { release: "1.1" });
  assert.deepEqual(await counts(), [3, 1], "it has regressed");
  await sendAs(project, "A", { release: "1.1" });
  assert.deepEqual(await counts(), [3, 1]);
  await post(project, `${url}/reopen`);
  assert.deepEqual(await counts(), [3, 0], "reopening ends the regression");
  await post(project, `${url}/ignore`);
  assert.deepEqual(await counts(), [2, 0]);
  await post(project, `${url}/reopen`);
  assert.deepEqual(await counts(), [3, 0]);
});

test("groups whose snooze ends by an event or by its time are counted", async () => {
  const { project, counts } = await open();
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  await post(project, `${project.groups}/${a.id}/ignore`, { until: { occurrences: 1 } });
  await post(project, `${project.groups}/${b.id}/ignore`, { until: { at: "2999-01-01T00:00:00Z" } });
  assert.deepEqual(await counts(), [0, 0]);
  await sendAs(project, "A");
  assert.deepEqual(await counts(), [1, 0]);
  await sql`update error_groups set snooze_ends_at = now() where id = ${b.id}`.execute(t.db);
  await endDueSnoozes(t.db);
  assert.deepEqual(await counts(), [2, 0]);
});

test("bulk changes in several projects are counted in each", async () => {
  const [one, two] = [await open(), await open()];
  const groups = [
    await sendAs(one.project, "A"),
    await sendAs(one.project, "B"),
    await sendAs(two.project, "A"),
  ];
  const error_group_ids = groups.map(({ id }) => id);
  await post(one.project, "/api/error-groups/bulk-status", { error_group_ids, status: 1 });
  assert.deepEqual(
    [await one.counts(), await two.counts()],
    [
      [0, 0],
      [0, 0],
    ],
  );
  await post(one.project, "/api/error-groups/bulk-status", { error_group_ids, status: 0 });
  assert.deepEqual(
    [await one.counts(), await two.counts()],
    [
      [2, 0],
      [1, 0],
    ],
  );
});

test("merged groups are counted once, and those split off again after their next event", async () => {
  const { project, counts } = await open();
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const url = `${project.groups}/${a.id}`;
  await post(project, `${url}/merge`, { error_group_ids: [b.id] });
  assert.deepEqual(await counts(), [1, 0]);
  const { merged } = (await project.admin.get(`${url}/grouping`)).body;
  await post(project, `${url}/unmerge`, { fingerprints: [merged[0].fingerprint] });
  assert.deepEqual(await counts(), [1, 0]);
  await sendAs(project, "B");
  assert.deepEqual(await counts(), [2, 0]);
});

test("groups that the retention deletes are no longer counted", async () => {
  const { project, counts } = await open();
  const { id } = await sendAs(project, "A");
  await sendAs(project, "B");
  await sql`update error_groups set last_seen_at = now() - interval '91 days' where id = ${id}`.execute(t.db);
  await deleteExpired(t.database.pool, 90, undefined);
  assert.deepEqual(await counts(), [1, 0]);
});

test("open issues are counted after they are created, closed, reopened and deleted, and with their whole lane", async () => {
  const board = await openBoard(t, workspace);
  const counts = async () => {
    await checkOpenCounts(t.db);
    const { projects } = (await board.admin.get("/api/home")).body;
    return projects.find(({ project_id }: { project_id: number }) => project_id === board.id).open_issues;
  };
  assert.equal(await counts(), 0);
  const [one, two] = [await board.make(), await board.make({ lane_id: board.lanes.done })];
  await board.make();
  assert.equal(await counts(), 2);
  const move = (id: number, lane_id: number) => board.admin.patch(`${board.issues}/${id}`, { lane_id });
  await move(one.id, board.lanes.done);
  assert.equal(await counts(), 1);
  await move(one.id, board.lanes.doing);
  assert.equal(await counts(), 2);
  await board.admin.delete(`${board.issues}/${one.id}`);
  await board.admin.delete(`${board.issues}/${two.id}`);
  assert.equal(await counts(), 1);
  const lane = await board.admin.patch(`${board.url}/lanes/${board.lanes.backlog}`, { kind: "done" });
  assert.equal(lane.status, 200, lane.text);
  assert.equal(await counts(), 0, "the lane's kind is now done");
});

test("a transaction that is rolled back changes no count", async () => {
  const { project, counts } = await open();
  await sendAs(project, "A");
  await assert.rejects(
    t.db.transaction().execute(async (tx) => {
      await sql`update error_groups set status = 1 where project_id = ${project.id}`.execute(tx);
      throw new Error("rolled back");
    }),
    /rolled back/,
  );
  assert.deepEqual(await counts(), [1, 0]);
});

test("the job leaves one row of each project, and includes changes that are committed meanwhile in its next run", async () => {
  const { project, counts } = await open();
  await sendAs(project, "A");
  await sendAs(project, "B");
  await t.db.transaction().execute(async (tx) => {
    await sql`update error_groups set status = 1 where project_id = ${project.id} and exception_class = 'A'`.execute(
      tx,
    );
    await combineOpenCounts(t.db);
    assert.equal(await rowsOf(project.id), 1);
    assert.deepEqual(await counts(), [2, 0]);
  });
  assert.deepEqual(await counts(), [1, 0]);
  await combineOpenCounts(t.db);
  assert.equal(await rowsOf(project.id), 1);
  assert.deepEqual(await counts(), [1, 0]);
});

test("after a workspace is deleted, the job leaves no row of its projects", async () => {
  const gone = await makeWorkspace(t.db);
  const board = await openBoard(t, gone);
  await board.make();
  const sender = t.http.as(await makeProjectToken(t.db, board.id, gone.admin.id));
  const project = { ...(await openProject(t, gone)), id: board.id, sender };
  await sendAs(project, "A");
  await combineOpenCounts(t.db);
  assert.equal(await rowsOf(board.id), 1);
  const admin = t.http.withCookie(await makeCookie(t.db, gone.admin.id));
  assert.equal((await admin.delete(`/api/workspaces/${gone.id}`)).status, 202);
  await deleteHiddenRows(t);
  await checkOpenCounts(t.db);
  await combineOpenCounts(t.db);
  assert.equal(await rowsOf(board.id), 0);
});

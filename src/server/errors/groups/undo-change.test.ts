import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { TRACES } from "../../../../test/support/error-events.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { BULK_STATUS, openRegressed, undo } from "../../../../test/support/undo.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const regressed = () => openRegressed(t, workspace);

test("undoing removes only the watch that the change added", async () => {
  const { project, id } = await regressed();
  const watch = `${project.groups}/${id}/watch`;
  const change_id = randomUUID();
  await project.admin.put(watch, { watching: false });
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  assert.equal((await project.admin.get(watch)).body.watching, true);
  await undo(project.admin, change_id);
  assert.equal((await project.admin.get(watch)).body.watching, false);
});

test("an undo leaves a group that an event has opened again, and says so", async () => {
  const { project, id } = await regressed();
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  await project.send({ release: "1.2.0" });
  const before = await project.only();
  const answer = await undo(project.admin, change_id);
  assert.deepEqual(answer.body, { data: [], refused: [{ error_group_id: id, reason: "regressed" }] });
  assert.deepEqual(await project.only(), before);
});

test("an undo leaves a group that someone has changed since, even if they set the same status", async () => {
  const { project, id } = await regressed();
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/ignore`, { change_id });
  await project.admin.post(`${project.groups}/${id}/reopen`);
  await project.admin.post(`${project.groups}/${id}/ignore`);
  const answer = await undo(project.admin, change_id);
  assert.deepEqual(answer.body.refused, [{ error_group_id: id, reason: "changed" }]);
});

test("a later assignment does not prevent the undo of a resolution", async () => {
  const { project, id } = await regressed();
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  await project.admin.patch(`${project.groups}/${id}`, { assignee_id: workspace.admin.id });
  assert.deepEqual((await undo(project.admin, change_id)).body.refused, []);
  const group = await project.only();
  assert.deepEqual([group.status, group.assignee_id], [0, workspace.admin.id]);
});

test("a change can be undone once, by the person who made it, for ten minutes", async () => {
  const { project, id } = await regressed();
  const change_id = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
  const other = await makeMember(t.db, project.id);
  const client = t.http.as(await makePersonalToken(t.db, other.id));
  assert.equal((await undo(client, change_id)).status, 404);
  await sql`update error_group_undos set created_at = now() - interval '11 minutes'
    where change_id = ${change_id}`.execute(t.db);
  assert.equal((await undo(project.admin, change_id)).status, 404);
  await sql`update error_group_undos set created_at = now() - interval '9 minutes'
    where change_id = ${change_id}`.execute(t.db);
  assert.equal((await undo(project.admin, change_id)).status, 200);
  assert.equal((await undo(project.admin, change_id)).status, 404);
});

test("an expired change is deleted with the next change of its user", async () => {
  const { project, id } = await regressed();
  const expired = randomUUID();
  await project.admin.post(`${project.groups}/${id}/resolve`, { change_id: expired });
  await sql`update error_group_undos set created_at = now() - interval '11 minutes'
    where change_id = ${expired}`.execute(t.db);
  await project.admin.post(`${project.groups}/${id}/reopen`, { change_id: randomUUID() });
  const { rows } = await sql`select from error_group_undos where change_id = ${expired}`.execute(t.db);
  assert.equal(rows.length, 0);
});

test("an undo leaves groups that the caller may no longer change", async () => {
  const [kept, lost] = [await regressed(), await regressed()];
  const member = await makeMember(t.db, kept.project.id);
  await makeMember(t.db, lost.project.id, { user: member });
  const client = t.http.as(await makePersonalToken(t.db, member.id));
  const change_id = randomUUID();
  await client.post(BULK_STATUS, { error_group_ids: [kept.id, lost.id], status: 1, change_id });
  const removed = await lost.project.admin.delete(`/api/projects/${lost.project.id}/members/${member.id}`);
  assert.equal(removed.status, 204);
  const answer = await undo(client, change_id);
  assert.deepEqual(
    [answer.body.data.length, answer.body.refused],
    [1, [{ error_group_id: lost.id, reason: "not_permitted" }]],
  );
  assert.deepEqual([(await kept.project.only()).status, (await lost.project.only()).status], [0, 1]);
});

test("undoing an assignment withdraws the unread notification and notifies nobody", async () => {
  const { project, id } = await regressed();
  const [first, second] = [await makeMember(t.db, project.id), await makeMember(t.db, project.id)];
  const inbox = async (user: { id: number }) => {
    const client = t.http.as(await makePersonalToken(t.db, user.id));
    return (await client.get("/api/notifications?include=all")).body.length;
  };
  await project.admin.patch(`${project.groups}/${id}`, { assignee_id: first.id });
  const change_id = randomUUID();
  await project.admin.post("/api/error-groups/bulk-assign", {
    error_group_ids: [id],
    assignee_id: second.id,
    change_id,
  });
  assert.deepEqual([await inbox(first), await inbox(second)], [1, 1]);
  await undo(project.admin, change_id);
  assert.deepEqual([await inbox(first), await inbox(second)], [1, 0]);
  assert.equal((await project.only()).assignee_id, first.id);
});

test("an unlinked group is not linked again to an issue that was deleted since", async () => {
  const { project, id } = await regressed();
  const issue = (await project.admin.post(`/api/projects/${project.id}/issues`, { title: "Fix it" })).body;
  await project.admin.post(`${project.groups}/${id}/link`, { issue: issue.id });
  const change_id = randomUUID();
  await project.admin.delete(`${project.groups}/${id}/link?change_id=${change_id}`);
  assert.equal((await project.admin.delete(`/api/projects/${project.id}/issues/${issue.id}`)).status, 204);
  const answer = await undo(project.admin, change_id);
  assert.deepEqual(answer.body.refused, [{ error_group_id: id, reason: "changed" }]);
});

test("undoing a resolution leaves the release that an earlier one has named", async () => {
  const { project, id } = await regressed();
  const resolve = (change_id: string) =>
    project.admin.post(`${project.groups}/${id}/resolve`, { in: { release: "3.0.0" }, change_id });
  const change_id = randomUUID();
  await resolve(randomUUID());
  await project.admin.post(`${project.groups}/${id}/reopen`);
  await resolve(change_id);
  assert.equal((await undo(project.admin, change_id)).status, 200);
  const { data } = (await project.admin.get(`/api/projects/${project.id}/releases`)).body;
  assert.ok(data.some(({ version }: { version: string }) => version === "3.0.0"));
});

test("an undo and an event that race leave the group regressed once, or as it was with one more event", async () => {
  for (let run = 0; run < 5; run++) {
    const { project, id } = await regressed();
    const change_id = randomUUID();
    await project.admin.post(`${project.groups}/${id}/resolve`, { change_id });
    const [answer] = await Promise.all([undo(project.admin, change_id), project.send({ release: "1.2.0" })]);
    const group = await project.only();
    assert.deepEqual(
      [group.status, group.reopen_count, group.occurrence_count],
      [0, answer.body.data.length === 1 ? 1 : 2, 3],
    );
  }
});

for (const first of ["undo", "resolution"])
  test(`a release stays if a resolution names it while an undo removes it, and the ${first} comes first`, async () => {
    const project = await openProject(t, workspace);
    await project.send({ release: "1.0.0" });
    await project.send({ release: "1.0.0", stack_trace: TRACES.search });
    const ids = (await project.admin.get(project.groups)).body.data.map((group: { id: number }) => group.id);
    const change_id = randomUUID();
    const resolve = (id: number) =>
      project.admin.post(`${project.groups}/${id}/resolve`, { in: { release: "3.0.0" }, change_id });
    await resolve(ids[0]);
    const requests = [
      () => undo(project.admin, change_id),
      () => project.admin.post(`${project.groups}/${ids[1]}/resolve`, { in: { release: "3.0.0" } }),
    ];
    if (first === "resolution") requests.reverse();
    const lock = `select from releases where project_id = ${project.id} and version = '3.0.0' for update`;
    await collide(t.database, lock, async (waiting) => {
      const sent = [];
      for (const request of requests) {
        sent.push(request());
        await waiting(sent.length);
      }
      return sent;
    });
    const { data } = (await project.admin.get(`/api/projects/${project.id}/releases`)).body;
    assert.deepEqual(
      data.map((one: { version: string; resolved_groups: number }) => [one.version, one.resolved_groups]),
      [
        ["3.0.0", 1],
        ["1.0.0", 0],
      ],
    );
  });

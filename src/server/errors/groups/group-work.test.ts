import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import { collide } from "../../../../test/support/collide.ts";
import { switchOff } from "../../../../test/support/inbox.ts";
import { eventOf, makeErrorGroup } from "../../../../test/support/make-error-group.ts";
import { makeMember, makePersonalToken, makeUser, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const adminId = workspace.admin.id;

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));

async function open(): Promise<{ project: TestProject; url: string; id: number }> {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "4.1.0" });
  return { project, url: `${project.groups}/${id}`, id };
}

async function activityOf(project: TestProject, url: string): Promise<ErrorGroupActivity[]> {
  const answer = await project.admin.get(`${url}/activity`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function watchersOf(groupId: number): Promise<number[]> {
  const rows = await t.db
    .selectFrom("error_group_watchers")
    .select("user_id")
    .where("group_id", "=", groupId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

test("a group can be assigned to a person of the project, reassigned and unassigned", async () => {
  const { project, url } = await open();
  const ada = await makeMember(t.db, project.id);
  assert.equal((await project.only()).assignee_id, null);
  for (const assignee_id of [ada.id, adminId, null]) {
    const answer = await project.admin.patch(url, { assignee_id });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, await project.only());
    assert.equal(answer.body.assignee_id, assignee_id);
    assert.equal((await project.admin.get(project.groups)).body.data[0].assignee_id, assignee_id);
  }
});

test("assigning the same person again, or sending no assignee, changes nothing", async () => {
  const { project, url } = await open();
  const { body: before } = await project.admin.patch(url, { assignee_id: adminId });
  assert.deepEqual((await project.admin.patch(url, { assignee_id: adminId })).body, before);
  assert.deepEqual((await project.admin.patch(url, {})).body, before);
  const assigned = (await activityOf(project, url)).filter(({ kind }) => kind === "assigned");
  assert.equal(assigned.length, 1);
});

test("someone without access to the project cannot be assigned", async () => {
  const { project, url } = await open();
  for (const assignee_id of [(await makeUser(t.db)).id, 999_999, "x", 0]) {
    const answer = await project.admin.patch(url, { assignee_id });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["assignee_id"]]);
  }
  assert.equal((await project.only()).assignee_id, null);
});

test("the list can be filtered by assignee: a person, me, or none", async () => {
  const { project } = await open();
  const ada = await makeMember(t.db, project.id);
  const groups = [(await project.only()).id];
  for (let n = 0; n < 2; n++) groups.push((await makeErrorGroup(t.db, project)).id);
  const [mine, hers, nobodys] = groups;
  await project.admin.patch(`${project.groups}/${mine}`, { assignee_id: adminId });
  await project.admin.patch(`${project.groups}/${hers}`, { assignee_id: ada.id });
  for (const [value, expected] of [
    ["me", mine],
    [String(ada.id), hers],
    ["none", nobodys],
  ] as const)
    for (const list of [`${project.groups}?`, `/api/error-groups?project_id=${project.id}&`]) {
      const { body } = await project.admin.get(`${list}assignee_id=${value}`);
      assert.deepEqual(
        body.data.map(({ id }: { id: number }) => id),
        [expected],
        value,
      );
    }
  assert.equal((await project.admin.get(`${project.groups}?assignee_id=x`)).status, 422);
});

test("a bulk assignment refuses groups that the caller may not change or the assignee cannot access", async () => {
  const { project, id } = await open();
  const elsewhere = await open();
  const ada = await makeMember(t.db, project.id);
  const answer = await project.admin.post("/api/error-groups/bulk-assign", {
    error_group_ids: [elsewhere.id, id, 999_999],
    assignee_id: ada.id,
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.refused_ids, [elsewhere.id, 999_999]);
  assert.deepEqual(
    answer.body.data.map((group: { id: number; assignee_id: number }) => [group.id, group.assignee_id]),
    [[id, ada.id]],
  );
  const viewer = await as(await makeMember(t.db, project.id, { role: "Viewer" }));
  const refused = await viewer.post("/api/error-groups/bulk-assign", {
    error_group_ids: [id],
    assignee_id: null,
  });
  assert.deepEqual(refused.body, { data: [], refused_ids: [id] });
  assert.equal((await project.only()).assignee_id, ada.id);
});

test("a bulk assignment requires an assignee, who may be null but must exist", async () => {
  const { project, id } = await open();
  for (const body of [{}, { assignee_id: "x" }, { assignee_id: 999_999_999 }]) {
    const answer = await project.admin.post("/api/error-groups/bulk-assign", {
      error_group_ids: [id],
      ...body,
    });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["assignee_id"]]);
  }
  const cleared = { error_group_ids: [id], assignee_id: null };
  assert.equal((await project.admin.post("/api/error-groups/bulk-assign", cleared)).status, 200);
});

test("the history lists each change with its actor, oldest first", async () => {
  const { project, url } = await open();
  const ada = await makeMember(t.db, project.id);
  const client = await as(ada);
  await project.admin.patch(url, { assignee_id: ada.id });
  await client.post(`${url}/resolve`);
  await client.post(`${url}/resolve`);
  await project.admin.post(`${url}/reopen`);
  await project.admin.post(`${url}/ignore`);
  const { linked_issue_id } = (await client.post(`${url}/promote`)).body;
  const changes = (await activityOf(project, url)).filter(({ kind }) => kind !== "first_seen");
  assert.deepEqual(
    changes.map(({ kind, actor_id, from, to }) => [kind, actor_id, from, to]),
    [
      ["assigned", adminId, null, ada.id],
      ["resolved", ada.id, null, "4.1.0"],
      ["reopened", adminId, 1, null],
      ["ignored", adminId, null, null],
      ["linked", ada.id, null, linked_issue_id],
    ],
  );
  const page = (await project.admin.get(`${url}/activity?limit=1`)).body;
  assert.equal(page.data.length, 1);
  assert.notEqual(page.meta.next_cursor, null);
});

test("a user starts and stops watching a group", async () => {
  const { project, url, id } = await open();
  const ada = await makeMember(t.db, project.id);
  const client = await as(ada);
  assert.deepEqual((await client.get(`${url}/watch`)).body, { watching: false });
  assert.deepEqual((await client.post(`${url}/watch`)).body, { watching: true });
  assert.deepEqual((await client.put(`${url}/watch`, { watching: true })).body, { watching: true });
  assert.deepEqual(await watchersOf(id), [ada.id]);
  assert.deepEqual((await client.post(`${url}/watch`, {})).body, { watching: false });
  assert.deepEqual(await watchersOf(id), []);
});

test("assignees and people who resolve or promote a group watch it, if their preferences say so", async () => {
  const { project } = await open();
  for (const [preference, act] of [
    ["auto_watch_on_assigned", (client, url, id) => client.patch(url, { assignee_id: id })],
    ["auto_watch_on_assigned", (client, url) => client.post(`${url}/resolve`)],
    ["auto_watch_on_create", (client, url) => client.post(`${url}/promote`)],
  ] as const satisfies [
    string,
    (client: Awaited<ReturnType<typeof as>>, url: string, id: number) => unknown,
  ][])
    for (const isOn of [true, false]) {
      const user = await makeMember(t.db, project.id);
      if (!isOn) await switchOff(t.db, user, [preference]);
      const { id } = await makeErrorGroup(t.db, project);
      await act(await as(user), `${project.groups}/${id}`, user.id);
      assert.deepEqual(await watchersOf(id), isOn ? [user.id] : [], preference);
    }
});

test("snoozing and linking a group do not add a watch", async () => {
  const { project, url, id } = await open();
  const client = await as(await makeMember(t.db, project.id));
  const issue = (await project.admin.post(`/api/projects/${project.id}/issues`, { title: "Fix" })).body;
  assert.equal((await client.post(`${url}/ignore`, { until: { users: 5 } })).status, 200);
  assert.equal((await client.post(`${url}/link`, { issue: issue.key })).status, 200);
  assert.deepEqual(await watchersOf(id), []);
});

test("someone who may not read error groups does not start watching when assigned", async () => {
  const { project, url, id } = await open();
  const reporter = await makeMember(t.db, project.id, { role: "Reporter" });
  assert.equal((await project.admin.patch(url, { assignee_id: reporter.id })).status, 200);
  assert.deepEqual(await watchersOf(id), []);
});

test("leaving a project ends the watches of its groups", async () => {
  const { project, url, id } = await open();
  const ada = await makeMember(t.db, project.id);
  await (await as(ada)).post(`${url}/watch`);
  const removed = await project.admin.delete(`/api/projects/${project.id}/members/${ada.id}`);
  assert.equal(removed.status, 204, removed.text);
  assert.deepEqual(await watchersOf(id), []);
});

test("an assignment that waits for a batch of events loses neither the assignee nor the counts", async () => {
  const { project } = await open();
  const groups: Awaited<ReturnType<typeof makeErrorGroup>>[] = [];
  for (let n = 0; n < 3; n++) groups.push(await makeErrorGroup(t.db, project));
  const ids = groups.map(({ id }) => id);
  const lock = `select from error_groups where id = ${ids[1]} for update`;
  await collide(t.database, lock, async (waiting) => {
    const assigned = project.admin.post("/api/error-groups/bulk-assign", {
      error_group_ids: ids,
      assignee_id: adminId,
    });
    await waiting(1);
    const sent = Promise.all(groups.map(({ place }) => project.send(eventOf(place))));
    await waiting(2);
    return [assigned.then(({ status }) => assert.equal(status, 200)), sent.then(() => {})];
  });
  const { data } = (await project.admin.get(`${project.groups}?assignee_id=me`)).body;
  assert.deepEqual(
    data.map((group: { occurrence_count: number }) => group.occurrence_count),
    [2, 2, 2],
  );
});

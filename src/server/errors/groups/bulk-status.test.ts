import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { failWrites } from "../../../../test/support/fail-writes.ts";
import { eventOf } from "../../../../test/support/make-error-group.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroup, ErrorGroupListItem } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

type Answer = { data: ErrorGroupListItem[]; refused_ids: number[] };

/** Sets a status and expects success. Returns the groups in the order of their ids. */
async function bulk(http: Client, error_group_ids: number[], status: number): Promise<Answer> {
  const answer = await http.post("/api/error-groups/bulk-status", { error_group_ids, status });
  assert.equal(answer.status, 200, answer.text);
  const { data, refused_ids, ...more } = answer.body;
  assert.deepEqual(more, {});
  return { data: data.toSorted((a: ErrorGroup, b: ErrorGroup) => a.id - b.id), refused_ids };
}

/** A project with this many groups, each with one event. */
async function withGroups(count: number, of = workspace): Promise<{ project: TestProject; ids: number[] }> {
  const project = await openProject(t, of);
  for (let sent = 0; sent < count; sent += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, count - sent) }, (_, n) =>
        project.send({ ...eventOf(sent + n), release: "1" }),
      ),
    );
  const list = await project.admin.get(project.groups);
  return {
    project,
    ids: list.body.data.map((group: ErrorGroup) => group.id).sort((a: number, b: number) => a - b),
  };
}

const whole = async (project: TestProject, id: number) =>
  (await project.admin.get(`${project.groups}/${id}`)).body as ErrorGroup;

const person = async (user: TestUser) => t.http.as(await makePersonalToken(t.db, user.id));

for (const [status, verb] of [
  [1, "resolve"],
  [2, "ignore"],
  [0, "reopen"],
] as const)
  test(`bulk status ${status} changes each group exactly as ${verb} does, in any state`, async () => {
    const states = [[], ["resolve"], ["ignore"], ["resolve", "regress"]] as const;
    const { project, ids } = await withGroups(states.length * 2);
    for (const [n, id] of ids.entries()) {
      for (const step of states[n % states.length]!)
        if (step === "regress") await regress(project, id);
        else await project.admin.post(`${project.groups}/${id}/${step}`);
    }
    const alone = ids.slice(0, states.length);
    const together = ids.slice(states.length);
    for (const id of alone) await project.admin.post(`${project.groups}/${id}/${verb}`);
    const { data, refused_ids } = await bulk(project.admin, together, status);
    assert.deepEqual(refused_ids, []);
    assert.deepEqual(
      data.map((group) => group.id),
      together,
    );
    for (const [n, id] of together.entries()) {
      const twin = await whole(project, alone[n] as number);
      const group = await whole(project, id);
      assert.deepEqual(settled(group), settled(twin), `state ${n}`);
      assert.equal(data[n]?.updated_at, group.updated_at);
    }
  });

/** The state of a group; of times, only whether they are set. */
function settled(group: ErrorGroup) {
  const { status, resolved_at, resolved_by_id, regressed_at, reopen_count, occurrence_count } = group;
  return [
    status,
    resolved_at !== null,
    resolved_by_id,
    regressed_at !== null,
    reopen_count,
    occurrence_count,
  ];
}

/** An event of the same group with another release. */
async function regress(project: TestProject, id: number) {
  const { latest_stack_trace } = await whole(project, id);
  await project.send({ stack_trace: latest_stack_trace, release: "2" });
}

test("data contains list items: 14 daily counts, affected_users, the context label, and no details", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ context: { kind: "job", name: "App\\Pay" }, host: "web-1" });
  const { data } = await bulk(project.admin, [id], 1);
  const [listed] = (await project.admin.get(project.groups)).body.data;
  assert.deepEqual(data, [listed]);
  assert.deepEqual([data[0]?.status, data[0]?.context_label, data[0]?.daily_counts.length], [1, "Pay", 14]);
  assert.equal("latest_stack_trace" in listed || "hosts" in listed, false);
});

test("500 ids of several projects are accepted", async () => {
  const a = await withGroups(300);
  const b = await withGroups(200);
  const ids = [...a.ids, ...b.ids];
  const { data, refused_ids } = await bulk(a.project.admin, ids.toReversed(), 1);
  assert.deepEqual([data.length, refused_ids], [500, []]);
  assert.deepEqual(
    data.map((group) => group.id),
    ids.toSorted((x, y) => x - y),
  );
  assert.ok(data.every((group) => group.status === 1 && group.resolved_by_id === workspace.admin.id));
});

test("a group that already has the status is returned and keeps every field, including updated_at", async () => {
  const { project, ids } = await withGroups(2);
  const [there, open] = ids as [number, number];
  const http = await person(await makeMember(t.db, project.id));
  await project.admin.post(`${project.groups}/${there}/resolve`);
  const before = await whole(project, there);
  const { data } = await bulk(http, [there, open], 1);
  assert.deepEqual(
    data.map((group) => group.id),
    [there, open],
  );
  assert.deepEqual(await whole(project, there), before);
  assert.notEqual(data[1]?.resolved_by_id, before.resolved_by_id);
});

const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

for (const [name, body, field] of [
  ["501 ids", { error_group_ids: many(501), status: 1 }, "error_group_ids"],
  ["no ids", { error_group_ids: [], status: 1 }, "error_group_ids"],
  ["an id twice", { error_group_ids: [1, 2, 1], status: 1 }, "error_group_ids"],
  ["ids that are not a list", { error_group_ids: 1, status: 1 }, "error_group_ids"],
  ["ids left out", { status: 1 }, "error_group_ids"],
  ["an id in quotes", { error_group_ids: [1, "2"], status: 1 }, "error_group_ids.1"],
  ["an id with a fraction", { error_group_ids: [1.5], status: 1 }, "error_group_ids.0"],
  ["status in quotes", { error_group_ids: [1], status: "1" }, "status"],
  ["status 3", { error_group_ids: [1], status: 3 }, "status"],
  ["status true", { error_group_ids: [1], status: true }, "status"],
  ["status null", { error_group_ids: [1], status: null }, "status"],
  ["status left out", { error_group_ids: [1] }, "status"],
] as const)
  test(`${name} is 422 on ${field}`, async () => {
    const http = await person(workspace.admin);
    const answer = await http.post("/api/error-groups/bulk-status", body);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
    assert.ok(answer.body.errors[field].every((message: unknown) => typeof message === "string"));
  });

test("a rejected request changes none of its valid groups", async () => {
  const { project, ids } = await withGroups(1);
  const before = await project.only();
  const answer = await project.admin.post("/api/error-groups/bulk-status", {
    error_group_ids: [...ids, ...ids],
    status: 1,
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(await project.only(), before);
});

test("unknown, inaccessible, feature-off and unpermitted ids are refused in the order sent; the rest are changed", async () => {
  const mine = await withGroups(2);
  const viewed = await withGroups(1);
  const closed = await withGroups(1);
  const elsewhere = await makeWorkspace(t.db);
  const foreign = await withGroups(1, elsewhere);
  const off = await makeWorkspace(t.db);
  const offGroups = await withGroups(1, off);
  const user = await makeMember(t.db, mine.project.id);
  await makeMember(t.db, viewed.project.id, { user, role: "Viewer" });
  await makeMember(t.db, offGroups.project.id, { user });
  const features = { error_tracking: false };
  await offGroups.project.admin.patch(`/api/workspaces/${off.id}`, { features });

  const refused = [
    999_999_999,
    viewed.ids[0],
    -1,
    foreign.ids[0],
    0,
    closed.ids[0],
    offGroups.ids[0],
  ] as number[];
  const sent = [...refused.slice(0, 3), mine.ids[1], ...refused.slice(3), mine.ids[0]] as number[];
  const { data, refused_ids } = await bulk(await person(user), sent, 2);
  assert.deepEqual(refused_ids, refused);
  assert.deepEqual(
    data.map((group) => [group.id, group.status]),
    mine.ids.map((id) => [id, 2]),
  );
  for (const { project } of [viewed, closed, foreign]) assert.equal((await project.only()).status, 0);
  const row = await t.db
    .selectFrom("error_groups")
    .select("status")
    .where("id", "=", offGroups.ids[0] as number)
    .executeTakeFirstOrThrow();
  assert.equal(row.status, 0);
});

test("a project owner is permitted with any role; a request with only refused ids returns 200 with empty data", async () => {
  const { project, ids } = await withGroups(1);
  const owner = await makeMember(t.db, project.id, { role: "Viewer", is_owner: true });
  const viewer = await makeMember(t.db, project.id, { role: "Viewer" });
  assert.deepEqual(await bulk(await person(viewer), ids, 1), { data: [], refused_ids: ids });
  assert.equal((await project.only()).status, 0);
  const { data } = await bulk(await person(owner), ids, 1);
  assert.deepEqual([data[0]?.status, data[0]?.resolved_by_id], [1, owner.id]);
});

test("a project token and a token without the write scope get 403, an anonymous request 401", async () => {
  const { project, ids } = await withGroups(1);
  const body = { error_group_ids: ids, status: 1 };
  const token = t.http.as(await makeProjectToken(t.db, project.id, workspace.admin.id));
  const reading = t.http.as(await makePersonalToken(t.db, workspace.admin.id, { write: false }));
  assert.equal((await token.post("/api/error-groups/bulk-status", body)).status, 403);
  assert.equal((await reading.post("/api/error-groups/bulk-status", body)).status, 403);
  assert.equal((await t.http.post("/api/error-groups/bulk-status", body)).status, 401);
  assert.equal((await project.only()).status, 0);
});

test("if writing one group fails, the response is 500 and no group is changed", async () => {
  const { project, ids } = await withGroups(5);
  const before = await Promise.all(ids.map((id) => whole(project, id)));
  const stopFailing = await failWrites(t.db, { table: "error_groups", id: ids[3] as number });
  const answer = await project.admin.post("/api/error-groups/bulk-status", {
    error_group_ids: ids,
    status: 2,
  });
  await stopFailing();
  assert.equal(answer.status, 500);
  assert.deepEqual(Object.keys(answer.body).sort(), ["message", "request_id"]);
  assert.deepEqual(await Promise.all(ids.map((id) => whole(project, id))), before);
  assert.equal((await bulk(project.admin, ids, 2)).data.length, 5);
});

test("concurrent bulk changes of the same groups in opposite orders on two processes do not deadlock", async () => {
  const { project, ids } = await withGroups(60);
  const second = await openAppOn(t.database.url);
  try {
    const other = second.http.as(await makePersonalToken(t.db, workspace.admin.id));
    const rounds = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        bulk(n % 2 === 0 ? project.admin : other, n % 2 === 0 ? ids : ids.toReversed(), n % 3),
      ),
    );
    assert.ok(rounds.every((round) => round.data.length === 60));
  } finally {
    await second.close();
  }
});

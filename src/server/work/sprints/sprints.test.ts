import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { refusalOf } from "../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = async () => {
  const board = await openBoard(t, workspace);
  return { ...board, sprints: `${board.url}/sprints` };
};

test("a sprint created with only a name is planned and otherwise empty, and every field can be set", async () => {
  const board = await open();
  const plain = await board.admin.post(board.sprints, { name: "One" });
  assert.equal(plain.status, 201);
  const { id, created_at, updated_at, ...rest } = plain.body;
  assert.deepEqual([typeof created_at, typeof updated_at], ["string", "string"]);
  assert.deepEqual(rest, {
    project_id: board.id,
    name: "One",
    goal: null,
    starts_on: null,
    ends_on: null,
    capacity_issues: null,
    capacity_minutes: null,
    state: "planned",
  });
  const fields = {
    name: "Two",
    goal: "Ship\nit",
    starts_on: "2026-02-28",
    ends_on: "2026-02-28",
    capacity_issues: 0,
    capacity_minutes: 2_147_483_647,
    state: "active",
  };
  const full = await board.admin.post(board.sprints, fields);
  assert.deepEqual({ ...full.body, ...fields }, full.body);
  assert.deepEqual((await board.admin.get(`${board.sprints}/${id}`)).body, plain.body);
  assert.deepEqual((await board.admin.get(board.sprints)).body, {
    data: [plain.body, full.body],
    meta: { next_cursor: null },
  });
});

test("a PATCH changes only the given fields, and null clears optional ones", async () => {
  const board = await open();
  const days = { starts_on: "2026-01-01", ends_on: "2026-01-14" };
  const { body } = await board.admin.post(board.sprints, { name: "One", goal: "G", ...days });
  const url = `${board.sprints}/${body.id}`;
  assert.deepEqual((await board.admin.patch(url, {})).body, body);
  assert.deepEqual((await board.admin.patch(url, { name: null, state: null })).body, body);
  const planned = (await board.admin.patch(url, { capacity_issues: 12, capacity_minutes: 4_800 })).body;
  assert.deepEqual([planned.capacity_issues, planned.capacity_minutes], [12, 4_800]);
  await board.admin.patch(url, { capacity_issues: null, capacity_minutes: null });
  const closed = (await board.admin.patch(url, { state: "closed", goal: null, ends_on: null })).body;
  assert.ok(closed.updated_at > body.updated_at);
  const expected = { ...body, state: "closed", goal: null, ends_on: null, updated_at: closed.updated_at };
  assert.deepEqual(closed, expected);
});

test("an end before the start is 422 on ends_on, whichever of the two was changed", async () => {
  const board = await open();
  const early = { name: "One", starts_on: "2026-02-02", ends_on: "2026-02-01" };
  assert.deepEqual(refusalOf(await board.admin.post(board.sprints, early)), [422, "ends_on"]);
  const { body } = await board.admin.post(board.sprints, { ...early, ends_on: "2026-02-02" });
  const url = `${board.sprints}/${body.id}`;
  assert.deepEqual(refusalOf(await board.admin.patch(url, { starts_on: "2026-02-03" })), [422, "ends_on"]);
  assert.deepEqual(refusalOf(await board.admin.patch(url, { ends_on: "2026-02-01" })), [422, "ends_on"]);
  assert.deepEqual((await board.admin.get(url)).body, body);
  const both = { starts_on: "2026-03-01", ends_on: "2026-03-02" };
  assert.equal((await board.admin.patch(url, both)).status, 200);
});

test("each invalid field is 422", async () => {
  const board = await open();
  const { body } = await board.admin.post(board.sprints, { name: "One" });
  assert.deepEqual(refusalOf(await board.admin.post(board.sprints, {})), [422, "name"]);
  for (const [field, values] of Object.entries({
    name: ["", "a\nb", "x".repeat(101), 1],
    goal: [1, "x".repeat(65_536), "a\0"],
    starts_on: ["2026-02-30", "2026-1-1", "01.02.2026", "0000-01-01", "2026-01-01T00:00:00Z", 20260101, ""],
    ends_on: ["tomorrow", true],
    capacity_issues: [-1, 1.5, "3", 2_147_483_648],
    capacity_minutes: [-1, 1.5, "3", 2_147_483_648],
    state: ["open", 1],
  }))
    for (const value of values) {
      const named = field === "name" ? {} : { name: "X" };
      const created = await board.admin.post(board.sprints, { ...named, [field]: value });
      assert.deepEqual(refusalOf(created), [422, field], `${field} ${String(value)}`);
      const patched = await board.admin.patch(`${board.sprints}/${body.id}`, { [field]: value });
      assert.deepEqual(refusalOf(patched), [422, field], `${field} ${String(value)}`);
    }
});

test("deleting a sprint removes it from its issues and records that in their history", async () => {
  const board = await open();
  const sprint = await board.sprint();
  const [inside, outside] = [await board.make({ sprint_id: sprint }), await board.make()];
  assert.equal((await board.admin.delete(`${board.sprints}/${sprint}`)).status, 204);
  const issue = await board.read(inside.id);
  assert.equal(issue.sprint_id, null);
  assert.ok(issue.updated_at > inside.updated_at);
  assert.deepEqual(await board.read(outside.id), outside);
  const { data } = (await board.admin.get(`${board.issues}/${inside.id}/activity`)).body;
  const { id, created_at, ...entry } = data.at(-1);
  assert.deepEqual([typeof id, typeof created_at], ["number", "string"]);
  assert.deepEqual(entry, { actor_id: board.adminId, kind: "sprint_id", from: sprint, to: null });
  assert.equal((await board.admin.delete(`${board.sprints}/${sprint}`)).status, 404);
});

test("a sprint of another project is 404 even if the body is invalid", async () => {
  const [board, other] = [await open(), await open()];
  const foreign = await other.sprint();
  for (const id of [foreign, 999_999, "x", 0]) {
    const url = `${board.sprints}/${id}`;
    assert.equal((await board.admin.get(url)).status, 404);
    assert.equal((await board.admin.patch(url, { name: 1 })).status, 404);
    assert.equal((await board.admin.delete(url)).status, 404);
  }
  assert.equal((await other.admin.get(`${other.sprints}/${foreign}`)).status, 200);
});

test("anyone with access to the project can read its sprints, and project:update is needed to change them", async () => {
  const board = await open();
  const url = `${board.sprints}/${await board.sprint()}`;
  const member = t.http.as(await makePersonalToken(t.db, (await makeMember(t.db, board.id)).id));
  assert.equal((await member.get(board.sprints)).status, 200);
  assert.equal((await member.get(url)).status, 200);
  assert.equal((await member.post(board.sprints, { name: "X" })).status, 403);
  assert.equal((await member.patch(url, { name: "X" })).status, 403);
  assert.equal((await member.delete(url)).status, 403);
  const token = t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id));
  assert.equal((await token.get(board.sprints)).status, 403);
});

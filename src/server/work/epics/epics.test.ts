import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { type Client, refusalOf } from "../../../../test/support/client.ts";
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
  return { ...board, epics: `${board.url}/epics` };
};
const NONE = { backlog: 0, todo: 0, doing: 0, done: 0 };

test("an epic created with only a title is open and otherwise empty, and every field can be set", async () => {
  const board = await open();
  const plain = await board.admin.post(board.epics, { title: "One" });
  assert.equal(plain.status, 201);
  const { id, created_at, updated_at, ...rest } = plain.body;
  assert.deepEqual([typeof created_at, typeof updated_at], ["string", "string"]);
  assert.deepEqual(rest, {
    project_id: board.id,
    title: "One",
    description: null,
    state: "open",
    starts_on: null,
    ends_on: null,
    owner_id: null,
    created_by: board.adminId,
    issue_counts: NONE,
    attachments: [],
  });
  const fields = {
    title: "Two",
    description: "**Why**",
    state: "done",
    starts_on: "2026-01-01",
    ends_on: "2026-12-31",
    owner_id: board.adminId,
  };
  const full = await board.admin.post(board.epics, fields);
  assert.deepEqual({ ...full.body, ...fields }, full.body);
  assert.deepEqual((await board.admin.get(`${board.epics}/${id}`)).body, plain.body);
  const { body } = await board.admin.get(`${board.epics}?limit=1`);
  assert.deepEqual(body.data, [plain.body]);
  const next = await board.admin.get(`${board.epics}?limit=1&cursor=${body.meta.next_cursor}`);
  assert.deepEqual(next.body, { data: [full.body], meta: { next_cursor: null } });
});

test("issue_counts counts the issues by the kind of their lane", async () => {
  const board = await open();
  const { todo, doing, done } = board.lanes;
  const epic = await board.epic();
  const counts = async () => (await board.admin.get(`${board.epics}/${epic}`)).body.issue_counts;
  const issue = await board.make({ epic_id: epic });
  await board.make({ epic_id: epic, lane_id: todo });
  await board.make({ epic_id: await board.epic() });
  assert.deepEqual(await counts(), { ...NONE, backlog: 1, todo: 1 });
  await board.admin.patch(`${board.issues}/${issue.id}`, { lane_id: done });
  assert.deepEqual(await counts(), { ...NONE, todo: 1, done: 1 });
  await board.admin.patch(`${board.url}/lanes/${todo}`, { kind: "doing" });
  await board.make({ epic_id: epic, lane_id: doing });
  assert.deepEqual(await counts(), { ...NONE, doing: 2, done: 1 });
  await board.admin.delete(`${board.issues}/${issue.id}`);
  assert.deepEqual(await counts(), { ...NONE, doing: 2 });
  const list = (await board.admin.get(board.epics)).body.data;
  assert.deepEqual(list[0].issue_counts, { ...NONE, doing: 2 });
});

test("a PATCH changes only the given fields, and null clears optional ones", async () => {
  const board = await open();
  const { body } = await board.admin.post(board.epics, {
    title: "One",
    description: "D",
    ends_on: "2026-01-01",
  });
  const url = `${board.epics}/${body.id}`;
  assert.deepEqual((await board.admin.patch(url, { title: null, state: null })).body, body);
  const changed = (await board.admin.patch(url, { title: "Two", state: "done", description: null })).body;
  assert.ok(changed.updated_at > body.updated_at);
  const expected = {
    ...body,
    title: "Two",
    state: "done",
    description: null,
    updated_at: changed.updated_at,
  };
  assert.deepEqual(changed, expected);
  assert.deepEqual(refusalOf(await board.admin.patch(url, { starts_on: "2026-01-02" })), [422, "ends_on"]);
  assert.deepEqual((await board.admin.get(url)).body, changed);
});

test("each invalid field is 422", async () => {
  const board = await open();
  const url = `${board.epics}/${await board.epic()}`;
  assert.deepEqual(refusalOf(await board.admin.post(board.epics, {})), [422, "title"]);
  const order = { title: "X", starts_on: "2026-01-02", ends_on: "2026-01-01" };
  assert.deepEqual(refusalOf(await board.admin.post(board.epics, order)), [422, "ends_on"]);
  for (const [field, values] of Object.entries({
    title: ["", "a\nb", "x".repeat(256), 1],
    description: [1, "x".repeat(65_536)],
    state: ["closed", 0],
    starts_on: ["2026-02-30", 1],
    ends_on: ["", "x"],
    owner_id: ["me", 0, 1.5, 999_999],
  }))
    for (const value of values) {
      const titled = field === "title" ? {} : { title: "X" };
      const created = await board.admin.post(board.epics, { ...titled, [field]: value });
      assert.deepEqual(refusalOf(created), [422, field], `${field} ${String(value)}`);
      assert.deepEqual(refusalOf(await board.admin.patch(url, { [field]: value })), [422, field]);
    }
});

test("an epic's owner must be able to access the project, may lose that access later, and can be removed", async () => {
  const [board, other] = [await open(), await open()];
  const [member, stranger] = [await makeMember(t.db, board.id), await makeMember(t.db, other.id)];
  const url = `${board.epics}/${await board.epic()}`;
  assert.deepEqual(refusalOf(await board.admin.patch(url, { owner_id: stranger.id })), [422, "owner_id"]);
  const created = await board.admin.post(board.epics, { title: "X", owner_id: stranger.id });
  assert.deepEqual(refusalOf(created), [422, "owner_id"]);
  assert.equal((await board.admin.patch(url, { owner_id: member.id })).body.owner_id, member.id);
  assert.equal((await board.admin.delete(`${board.url}/members/${member.id}`)).status, 204);
  const kept = await board.admin.patch(url, { title: "Still theirs", owner_id: member.id });
  assert.deepEqual([kept.status, kept.body.owner_id], [200, member.id]);
  assert.equal((await board.admin.patch(url, { owner_id: null })).body.owner_id, null);
});

test("a new owner is announced to open pages", async () => {
  const board = await open();
  const epic = await board.epic();
  await t.db.deleteFrom("changes").execute();
  await board.admin.patch(`${board.epics}/${epic}`, { owner_id: board.adminId });
  const changes = await t.db.selectFrom("changes").select(["kind", "project_id", "target_id"]).execute();
  assert.deepEqual(changes, [{ kind: "epic", project_id: board.id, target_id: epic }]);
});

test("the list of epics is filtered by owners, which are ids, me or none, and by state", async () => {
  const board = await open();
  const member = await makeMember(t.db, board.id);
  const own = async (owner_id?: number, state = "open") =>
    (await board.admin.post(board.epics, { title: "X", owner_id, state })).body.id as number;
  const [mine, theirs, nobodys] = [await own(board.adminId), await own(member.id), await own()];
  const owned = async (owner: string | number, state = "") => {
    const { body } = await board.admin.get(`${board.epics}?owner_id=${owner}&state=${state}`);
    return body.data.map((epic: { id: number }) => epic.id);
  };
  assert.deepEqual(await owned("me"), [mine]);
  assert.deepEqual(await owned(member.id), [theirs]);
  assert.deepEqual(await owned("none"), [nobodys]);
  assert.deepEqual(await owned(`me,${member.id}`), [mine, theirs]);
  assert.deepEqual(await owned(`${member.id},none`), [theirs, nobodys]);
  const done = await own(board.adminId, "done");
  assert.deepEqual(await owned("me", "done"), [done]);
  assert.deepEqual(await owned("me", "open"), [mine]);
  assert.deepEqual(await owned("", "done"), [done]);
  assert.deepEqual(refusalOf(await board.admin.get(`${board.epics}?state=closed`)), [422, "state"]);
  assert.deepEqual(refusalOf(await board.admin.get(`${board.epics}?owner_id=x`)), [422, "owner_id"]);
});

test("deleting an epic removes it from its issues and records that in their history", async () => {
  const board = await open();
  const epic = await board.epic();
  const issue = await board.make({ epic_id: epic });
  assert.equal((await board.admin.delete(`${board.epics}/${epic}`)).status, 204);
  assert.equal((await board.read(issue.id)).epic_id, null);
  const { data } = (await board.admin.get(`${board.issues}/${issue.id}/activity`)).body;
  assert.deepEqual([data.at(-1).kind, data.at(-1).from, data.at(-1).to], ["epic_id", epic, null]);
});

test("an epic of another project is 404 even if the body is invalid", async () => {
  const [board, other] = [await open(), await open()];
  const foreign = await other.epic();
  for (const id of [foreign, 999_999, "x"]) {
    const url = `${board.epics}/${id}`;
    assert.equal((await board.admin.get(url)).status, 404);
    assert.equal((await board.admin.patch(url, { title: 1 })).status, 404);
    assert.equal((await board.admin.delete(url)).status, 404);
  }
  assert.equal((await other.admin.get(`${other.epics}/${foreign}`)).status, 200);
});

test("each of the four permissions allows exactly its own requests", async () => {
  const board = await open();
  const allowed = async (client: Client) => {
    const url = `${board.epics}/${await board.epic()}`;
    const answers = {
      list: await client.get(board.epics),
      read: await client.get(url),
      create: await client.post(board.epics, { title: "X" }),
      patch: await client.patch(url, { title: "Y" }),
      delete: await client.delete(url),
    };
    for (const answer of Object.values(answers)) assert.ok(answer.status < 300 || answer.status === 403);
    return Object.keys(answers).filter((name) => answers[name as keyof typeof answers].status < 300);
  };
  const withPermissions = async (...permissions: string[]) => {
    const user = await makeMember(t.db, board.id, { role: { permissions } });
    return allowed(t.http.as(await makePersonalToken(t.db, user.id)));
  };
  assert.deepEqual(await withPermissions("epics:read"), ["list", "read"]);
  assert.deepEqual(await withPermissions("epics:create"), ["create"]);
  assert.deepEqual(await withPermissions("epics:update"), ["patch"]);
  assert.deepEqual(await withPermissions("epics:delete"), ["delete"]);
  assert.deepEqual(await withPermissions("project:update", "issues:read"), []);
  assert.deepEqual(await allowed(t.http.as(await makeProjectToken(t.db, board.id, workspace.admin.id))), []);
});

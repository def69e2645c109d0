import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard, type Board } from "../../../../test/support/board.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = () => openBoard(t, workspace);
const patch = (board: Board, id: number, changes: unknown) =>
  board.admin.patch(`${board.issues}/${id}`, changes);
const lockOf = (board: Board) => `select from projects where id = ${board.id} for no key update`;

type Entry = { kind: string; from: unknown; to: unknown };
async function history(board: Board, id: number): Promise<Entry[]> {
  const { body } = await board.admin.get(`${board.issues}/${id}/activity`);
  return body.data.map(({ kind, from, to }: Entry) => ({ kind, from, to }));
}

test("a PATCH changes only the given fields, and the history records who changed what, with old and new values", async () => {
  const board = await open();
  const member = await makeMember(t.db, board.id);
  const client = t.http.as(await makePersonalToken(t.db, member.id));
  const issue = await board.make({ title: "Before", description: "Long", estimated_minutes: 5 });
  const changes = {
    title: "After",
    description: "Longer",
    type: 1,
    priority: 0,
    lane_id: board.lanes.doing,
    assignee_id: member.id,
    sprint_id: await board.sprint(),
    epic_id: await board.epic(),
    estimated_minutes: 90,
    label_ids: [await board.label()],
  };
  const answer = await client.patch(`${board.issues}/${issue.key}`, changes);
  assert.equal(answer.status, 200);
  const { rank, updated_at, ...rest } = answer.body;
  assert.deepEqual({ ...rest, rank: issue.rank, updated_at: issue.updated_at }, { ...issue, ...changes });
  assert.equal(typeof rank, "string");
  assert.ok(updated_at > issue.updated_at);
  assert.deepEqual((await board.admin.get(`${board.issues}/${issue.id}`)).body, answer.body);

  const { data } = (await client.get(`${board.issues}/${issue.id}/activity`)).body;
  assert.deepEqual(Object.keys(data[0]), ["id", "actor_id", "kind", "from", "to", "created_at"]);
  assert.deepEqual(
    data.map((entry: { actor_id: number }) => entry.actor_id),
    [board.adminId, ...Object.keys(changes).map(() => member.id)],
  );
  assert.deepEqual(await history(board, issue.id), [
    { kind: "created", from: null, to: null },
    { kind: "title", from: "Before", to: "After" },
    { kind: "description", from: null, to: null },
    { kind: "type", from: 0, to: 1 },
    { kind: "priority", from: 2, to: 0 },
    { kind: "lane_id", from: board.lanes.backlog, to: board.lanes.doing },
    { kind: "assignee_id", from: null, to: member.id },
    { kind: "sprint_id", from: null, to: changes.sprint_id },
    { kind: "epic_id", from: null, to: changes.epic_id },
    { kind: "estimated_minutes", from: 5, to: 90 },
    { kind: "label_ids", from: [], to: changes.label_ids },
  ]);
});

test("a PATCH without fields, with null for a required field, or with the current values changes nothing", async () => {
  const board = await open();
  const other = await board.make();
  const issue = await board.make({ label_ids: [await board.label()], blocks_ids: [other.id] });
  for (const changes of [{}, { title: null, type: null, priority: null, lane_id: null }, issue, { id: 7 }]) {
    assert.deepEqual((await patch(board, issue.id, changes)).body, issue);
  }
  assert.deepEqual(await history(board, issue.id), [
    { kind: "created", from: null, to: null },
    { kind: "blocks_ids", from: [], to: [other.id] },
  ]);
});

test("null clears every optional field", async () => {
  const board = await open();
  const filled = {
    description: "X",
    assignee_id: workspace.admin.id,
    sprint_id: await board.sprint(),
    epic_id: await board.epic(),
    estimated_minutes: 5,
    label_ids: [await board.label()],
    blocked_by_ids: [(await board.make()).id],
    blocks_ids: [(await board.make()).id],
  };
  const issue = await board.make(filled);
  const nothing = Object.fromEntries(Object.keys(filled).map((field) => [field, null]));
  const { body } = await patch(board, issue.id, nothing);
  for (const field of Object.keys(filled))
    assert.deepEqual(body[field], field.endsWith("_ids") ? [] : null, field);
});

test("the given labels replace the previous ones, in any order", async () => {
  const board = await open();
  const [a, b, c] = [await board.label(), await board.label(), await board.label()];
  const issue = await board.make({ label_ids: [b, a] });
  assert.deepEqual(issue.label_ids, [a, b]);
  assert.deepEqual((await patch(board, issue.id, { label_ids: [c, b] })).body.label_ids, [b, c]);
  assert.deepEqual((await patch(board, issue.id, { label_ids: [] })).body.label_ids, []);
});

test("closed_at is set on entering a done lane, kept in another done lane, and null again outside", async () => {
  const board = await open();
  const issue = await board.make();
  const second = await board.admin.post(`${board.url}/lanes`, { name: "Shipped", kind: "done" });
  const closed = (await patch(board, issue.id, { lane_id: board.lanes.done })).body;
  assert.equal(closed.closed_at > issue.created_at, true);
  const shipped = (await patch(board, issue.id, { lane_id: second.body.id })).body;
  assert.equal(shipped.closed_at, closed.closed_at);
  assert.equal((await patch(board, issue.id, { lane_id: board.lanes.todo })).body.closed_at, null);
  assert.notEqual((await board.make({ lane_id: board.lanes.done })).closed_at, null);
});

test("a new issue and an issue that changes lanes go to the end of the lane", async () => {
  const board = await open();
  const { todo, doing } = board.lanes;
  const [a, b, c] = [
    await board.make({ lane_id: doing }),
    await board.make({ lane_id: doing }),
    await board.make({ lane_id: todo }),
  ];
  await patch(board, c.id, { lane_id: doing });
  assert.deepEqual(await board.order(doing), [a.id, b.id, c.id]);
  await patch(board, a.id, { lane_id: todo });
  await patch(board, a.id, { lane_id: doing });
  assert.deepEqual(await board.order(doing), [b.id, c.id, a.id]);
  assert.deepEqual(await board.order(todo), []);
});

test("both issues of a relation show it, record it in their history, and lose it together", async () => {
  const board = await open();
  const [a, b, c] = [await board.make(), await board.make(), await board.make()];
  await patch(board, a.id, { blocked_by_ids: [b.id, c.id] });
  assert.deepEqual((await board.read(b.id)).blocks_ids, [a.id]);
  const answer = await patch(board, b.id, { blocks_ids: [] });
  assert.deepEqual(answer.body.blocks_ids, []);
  assert.deepEqual((await board.read(a.id)).blocked_by_ids, [c.id]);
  assert.deepEqual((await history(board, a.id)).slice(1), [
    { kind: "blocked_by_ids", from: [], to: [b.id, c.id] },
    { kind: "blocked_by_ids", from: [b.id, c.id], to: [c.id] },
  ]);
  assert.deepEqual((await history(board, b.id)).slice(1), [
    { kind: "blocks_ids", from: [], to: [a.id] },
    { kind: "blocks_ids", from: [a.id], to: [] },
  ]);
  assert.deepEqual(await history(board, c.id), [
    { kind: "created", from: null, to: null },
    { kind: "blocks_ids", from: [], to: [a.id] },
  ]);
});

test("an issue that blocks itself is 422 on both fields", async () => {
  const board = await open();
  const [issue, other] = [await board.make(), await board.make()];
  const errors = async (changes: unknown) => (await patch(board, issue.id, changes)).body.errors;
  const words = ["must not be the issue itself"];
  assert.deepEqual(await errors({ blocks_ids: [issue.id] }), { "blocks_ids.0": words });
  assert.deepEqual(await errors({ blocked_by_ids: [other.id, issue.id] }), { "blocked_by_ids.1": words });
  assert.deepEqual(await board.read(issue.id), issue);
});

test("a cycle of any length is 422 on the id that closes it, on both fields, and changes nothing", async () => {
  const board = await open();
  const chain = [await board.make()];
  for (let n = 1; n < 6; n++)
    chain.push(await board.make({ blocked_by_ids: [(chain.at(-1) as { id: number }).id] }));
  const [first, last] = [chain[0]?.id as number, chain[5]?.id as number];
  const free = await board.make();
  const words = ["would create a cycle of issues that block each other"];
  const one = await patch(board, first, { title: "X", blocked_by_ids: [free.id, last] });
  assert.deepEqual([one.status, one.body.errors], [422, { "blocked_by_ids.1": words }]);
  const two = await patch(board, last, { title: "X", blocks_ids: [first, free.id] });
  assert.deepEqual([two.status, two.body.errors], [422, { "blocks_ids.0": words }]);
  const both = await patch(board, free.id, { blocks_ids: [first], blocked_by_ids: [last] });
  assert.deepEqual([both.status, both.body.errors], [422, { "blocked_by_ids.0": words }]);
  const same = await board.admin.post(board.issues, {
    title: "X",
    blocks_ids: [first],
    blocked_by_ids: [first],
  });
  assert.deepEqual([same.status, same.body.errors], [422, { "blocked_by_ids.0": words }]);
  for (const issue of [chain[0], chain[5], free])
    assert.deepEqual((await board.read(issue?.id as number)).title, issue?.title);
  assert.deepEqual((await board.read(free.id)).blocks_ids, []);
  assert.equal((await patch(board, first, { blocks_ids: [], blocked_by_ids: [last] })).status, 200);
});

test("if two concurrent PATCHes would close a cycle together, the second is refused", async () => {
  const board = await open();
  const [a, b] = [await board.make(), await board.make()];
  const answers = await collide(t.database, lockOf(board), async (waiting) => {
    const first = patch(board, a.id, { blocks_ids: [b.id] });
    await waiting(1);
    const second = patch(board, b.id, { blocks_ids: [a.id] });
    await waiting(2);
    return [first, second];
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 422],
  );
  assert.deepEqual((await board.read(a.id)).blocks_ids, [b.id]);
  assert.deepEqual((await board.read(b.id)).blocks_ids, []);
});

test("an issue that was just deleted is 404 for a PATCH and 422 in a relation", async () => {
  const board = await open();
  const [gone, other] = [await board.make(), await board.make()];
  const answers = await collide(t.database, lockOf(board), async (waiting) => {
    const first = board.admin.delete(`${board.issues}/${gone.id}`);
    await waiting(1);
    const second = patch(board, gone.id, { title: "X" });
    await waiting(2);
    const third = patch(board, other.id, { blocks_ids: [gone.id] });
    await waiting(3);
    return [first, second, third];
  });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [204, 404, 422],
  );
});

test("deleting an issue removes it from related issues and records that in their history", async () => {
  const board = await open();
  const [a, b] = [await board.make(), await board.make()];
  const gone = await board.make({ blocked_by_ids: [a.id], blocks_ids: [b.id] });
  assert.equal((await board.admin.delete(`${board.issues}/${gone.id}`)).status, 204);
  assert.deepEqual((await board.read(a.id)).blocks_ids, []);
  assert.deepEqual((await history(board, b.id)).at(-1), { kind: "blocked_by_ids", from: [gone.id], to: [] });
});

test("the history is paged by cursor, oldest first", async () => {
  const board = await open();
  const issue = await board.make();
  for (const priority of [0, 1, 2, 3]) await patch(board, issue.id, { priority });
  const url = `${board.issues}/${issue.id}/activity`;
  const first = await board.admin.get(`${url}?limit=3`);
  const second = await board.admin.get(`${url}?limit=3&cursor=${first.body.meta.next_cursor}`);
  const pages = [...first.body.data, ...second.body.data];
  assert.deepEqual(
    pages.map((entry: Entry) => entry.to),
    [null, 0, 1, 2, 3],
  );
  assert.equal(second.body.meta.next_cursor, null);
  assert.equal((await board.admin.get(`${url}?limit=201`)).status, 422);
});

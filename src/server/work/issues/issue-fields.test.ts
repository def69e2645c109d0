import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { refusalOf } from "../../../../test/support/client.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const open = () => openBoard(t, workspace);

test("a due date is set, changed and cleared, and each change is in the history", async () => {
  const board = await open();
  const { id, due_on } = await board.make({ due_on: "2026-11-27" });
  assert.equal(due_on, "2026-11-27");
  const url = `${board.issues}/${id}`;
  assert.equal((await board.admin.patch(url, { due_on: "2026-12-01" })).body.due_on, "2026-12-01");
  assert.equal((await board.admin.patch(url, { due_on: null })).body.due_on, null);
  assert.deepEqual(refusalOf(await board.admin.patch(url, { due_on: "2026-02-30" })), [422, "due_on"]);
  const { data } = (await board.admin.get(`${url}/activity`)).body;
  assert.deepEqual(
    data.slice(1).map(({ kind, from, to }: Record<string, unknown>) => [kind, from, to]),
    [
      ["due_on", "2026-11-27", "2026-12-01"],
      ["due_on", "2026-12-01", null],
    ],
  );
});

test("issues are sorted by due date page by page, those without one last, and filtered by it", async () => {
  const board = await open();
  const days = ["2026-11-27", null, "2026-11-20", "2026-11-27", null];
  const ids: number[] = [];
  for (const due_on of days) ids.push((await board.make({ due_on })).id);
  const [a, b, c, d, e] = ids;
  const pages = async (sort: string) => {
    const found: number[] = [];
    let cursor = "";
    do {
      const { body } = await board.admin.get(`${board.issues}?sort=${sort}&limit=2${cursor}`);
      found.push(...body.data.map((issue: { id: number }) => issue.id));
      cursor = body.meta.next_cursor === null ? "" : `&cursor=${body.meta.next_cursor}`;
    } while (cursor !== "");
    return found;
  };
  assert.deepEqual(await pages("due_on"), [c, a, d, b, e]);
  assert.deepEqual(await pages("-due_on"), [d, a, c, e, b]);
  const due = await board.admin.get(`${board.issues}?due_before=2026-11-27`);
  assert.deepEqual(
    due.body.data.map((issue: { id: number }) => issue.id),
    [c],
  );
  assert.deepEqual(refusalOf(await board.admin.get(`${board.issues}?due_before=soon`)), [422, "due_before"]);
});

test("a parent counts its sub-issues and how many are done, and lists them", async () => {
  const board = await open();
  const parent = await board.make();
  const one = await board.make({ parent_id: parent.id });
  const two = await board.make({ parent_id: parent.id, lane_id: board.lanes.done });
  assert.deepEqual((await board.read(parent.id)).sub_issue_counts, { total: 2, done: 1 });
  await board.admin.post(`${board.issues}/${one.id}/move`, { lane_id: board.lanes.done });
  assert.deepEqual((await board.read(parent.id)).sub_issue_counts, { total: 2, done: 2 });
  const { body } = await board.admin.get(`${board.issues}?parent_id=${parent.id}`);
  assert.deepEqual(
    body.data.map((issue: { id: number }) => issue.id),
    [two.id, one.id],
  );
  await board.admin.patch(`${board.issues}/${one.id}`, { parent_id: null });
  assert.deepEqual((await board.read(parent.id)).sub_issue_counts, { total: 1, done: 1 });
});

test("an issue cannot be its own parent or duplicate, directly or through others", async () => {
  const board = await open();
  for (const field of ["parent_id", "duplicate_of_id"]) {
    const top = await board.make();
    const middle = await board.make({ [field]: top.id });
    const bottom = await board.make({ [field]: middle.id });
    for (const id of [top.id, middle.id, bottom.id])
      assert.deepEqual(refusalOf(await board.admin.patch(`${board.issues}/${top.id}`, { [field]: id })), [
        422,
        field,
      ]);
    assert.equal((await board.admin.patch(`${board.issues}/${bottom.id}`, { [field]: top.id })).status, 200);
  }
});

test("relates_to_ids is the same on both sides, and each side records the change", async () => {
  const board = await open();
  const [one, two] = [await board.make(), await board.make()];
  const three = await board.make({ relates_to_ids: [one.id, two.id] });
  assert.deepEqual((await board.read(one.id)).relates_to_ids, [three.id]);
  const changed = await board.admin.patch(`${board.issues}/${one.id}`, { relates_to_ids: [two.id] });
  assert.deepEqual(changed.body.relates_to_ids, [two.id]);
  assert.deepEqual((await board.read(two.id)).relates_to_ids, [one.id, three.id]);
  assert.deepEqual((await board.read(three.id)).relates_to_ids, [two.id]);
  const { data } = (await board.admin.get(`${board.issues}/${three.id}/activity`)).body;
  assert.deepEqual(
    data.slice(1).map(({ kind, from, to }: Record<string, unknown>) => [kind, from, to]),
    [
      ["relates_to_ids", [], [one.id, two.id]],
      ["relates_to_ids", [one.id, two.id], [two.id]],
    ],
  );
});

test("deleting an issue keeps its sub-issues and duplicates, which record it, and ends its relations", async () => {
  const board = await open();
  const gone = await board.make();
  const child = await board.make({ parent_id: gone.id });
  const duplicate = await board.make({ duplicate_of_id: gone.id });
  const related = await board.make({ relates_to_ids: [gone.id] });
  assert.equal((await board.admin.delete(`${board.issues}/${gone.id}`)).status, 204);
  assert.equal((await board.read(child.id)).parent_id, null);
  assert.equal((await board.read(duplicate.id)).duplicate_of_id, null);
  assert.deepEqual((await board.read(related.id)).relates_to_ids, []);
  for (const [id, kind] of [
    [child.id, "parent_id"],
    [duplicate.id, "duplicate_of_id"],
    [related.id, "relates_to_ids"],
  ] as const) {
    const { data } = (await board.admin.get(`${board.issues}/${id}/activity`)).body;
    assert.equal(data.at(-1).kind, kind);
  }
});

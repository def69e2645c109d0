import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { collide } from "../../../../test/support/collide.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = async () => {
  const board = await openBoard(t, workspace);
  return { ...board, lane: (id: number) => `${board.url}/lanes/${id}` };
};

test("deleting a lane with issues needs move_to, and they go to the end of that lane in the same order", async () => {
  const board = await open();
  const { todo, doing } = board.lanes;
  const there = [await board.make({ lane_id: doing }), await board.make({ lane_id: doing })];
  const moving = [];
  for (let n = 0; n < 5; n++) moving.push(await board.make({ lane_id: todo }));
  const [first, ...others] = moving.map((issue) => issue.id);
  await board.admin.post(`${board.issues}/${first}/move`, { rank_before_id: others.at(-1) });

  const refused = await board.admin.delete(board.lane(todo));
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.body.errors, { move_to: ["is required: the lane has issues"] });
  assert.deepEqual(await board.order(todo), [...others, first]);

  assert.equal((await board.admin.delete(`${board.lane(todo)}?move_to=${doing}`)).status, 204);
  assert.deepEqual(await board.order(doing), [...there.map((issue) => issue.id), ...others, first]);
  const { data } = (await board.admin.get(`${board.issues}/${first}/activity`)).body;
  assert.deepEqual(
    [data.at(-1).kind, data.at(-1).from, data.at(-1).to, data.at(-1).actor_id],
    ["lane_id", todo, doing, board.adminId],
  );
  assert.ok((await board.read(others[0] as number)).updated_at > (moving[1]?.updated_at as string));
  assert.equal((await board.admin.get(`${board.url}/lanes`)).body.data.length, 3);
});

test("move_to must be another lane of the project, even if the deleted lane has no issues; otherwise 422 and no change", async () => {
  const [board, other] = [await open(), await open()];
  const { todo } = board.lanes;
  for (let turn = 0; turn < 2; turn++) {
    for (const moveTo of [todo, other.lanes.done, 999_999, "x", 0, "1.5"]) {
      const answer = await board.admin.delete(`${board.lane(todo)}?move_to=${moveTo}`);
      assert.equal(answer.status, 422, String(moveTo));
      assert.deepEqual(Object.keys(answer.body.errors), ["move_to"]);
    }
    await board.make({ lane_id: todo });
  }
  assert.equal((await board.admin.delete(`${board.lane(999_999)}?move_to=x`)).status, 404);
  assert.equal((await board.order(todo)).length, 2);
});

test("moved issues are closed or reopened according to their new lane", async () => {
  const board = await open();
  const { todo, done } = board.lanes;
  const issue = await board.make({ lane_id: todo });
  await board.admin.delete(`${board.lane(todo)}?move_to=${done}`);
  assert.notEqual((await board.read(issue.id)).closed_at, null);
  await board.admin.delete(`${board.lane(done)}?move_to=${board.lanes.doing}`);
  assert.equal((await board.read(issue.id)).closed_at, null);
});

test("changing a lane's kind to done closes its issues, and changing it back reopens them", async () => {
  const board = await open();
  const { doing } = board.lanes;
  const [issue, elsewhere] = [await board.make({ lane_id: doing }), await board.make()];
  await board.admin.patch(board.lane(doing), { kind: "done" });
  const { closed_at } = await board.read(issue.id);
  assert.notEqual(closed_at, null);
  await board.admin.patch(board.lane(doing), { name: "Shipped", kind: "done" });
  assert.equal((await board.read(issue.id)).closed_at, closed_at);
  await board.admin.patch(board.lane(doing), { kind: "todo" });
  assert.equal((await board.read(issue.id)).closed_at, null);
  assert.deepEqual(await board.read(elsewhere.id), elsewhere);
});

test("an issue created in a lane that is being deleted is refused or moved, never lost", async () => {
  const board = await open();
  const { todo, doing } = board.lanes;
  const lock = `select from projects where id = ${board.id} for no key update`;
  const [first, deleted, second] = await collide(t.database, lock, async (waiting) => {
    const make = () => board.admin.post(board.issues, { title: "X", lane_id: todo });
    const one = make();
    await waiting(1);
    const two = board.admin.delete(`${board.lane(todo)}?move_to=${doing}`);
    await waiting(2);
    const three = make();
    await waiting(3);
    return [one, two, three];
  });
  assert.deepEqual([first?.status, deleted?.status], [201, 204]);
  // After the first one, PostgreSQL does not promise in which order the others get the lock.
  assert.ok(second?.status === 422 || second?.status === 201, second?.text);
  const created = [first, second].filter((answer) => answer?.status === 201).map((answer) => answer?.body.id);
  assert.deepEqual(await board.order(doing), created);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../../shared/issues.ts";
import { openBoard } from "../../../../test/support/board.ts";
import { refusalOf } from "../../../../test/support/client.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const open = async () => {
  const board = await openBoard(t, workspace);
  return { ...board, assign: `${board.issues}/assign-sprint` };
};

test("issues are added to a sprint with one request, and each that changes records it in its history", async () => {
  const board = await open();
  const [from, to] = [await board.sprint(), await board.sprint()];
  const [fresh, moved, there] = [
    await board.make(),
    await board.make({ sprint_id: from }),
    await board.make({ sprint_id: to }),
  ];
  await t.db.deleteFrom("changes").execute();
  const issue_ids = [there.id, moved.id, fresh.id];
  const answer = await board.admin.post(board.assign, { issue_ids, sprint_id: to });
  assert.equal(answer.status, 200, answer.text);
  const data = answer.body.data as Issue[];
  assert.deepEqual(
    data.map(({ id, sprint_id }) => [id, sprint_id]),
    [fresh, moved, there].map(({ id }) => [id, to]),
  );
  assert.deepEqual(data[0], await board.read(fresh.id));
  assert.equal(data[2]?.updated_at, there.updated_at);
  const last = async (id: number) => {
    const { kind, from, to, actor_id } = (
      await board.admin.get(`${board.issues}/${id}/activity`)
    ).body.data.at(-1);
    return [kind, from, to, actor_id];
  };
  assert.deepEqual(await last(fresh.id), ["sprint_id", null, to, board.adminId]);
  assert.deepEqual(await last(moved.id), ["sprint_id", from, to, board.adminId]);
  assert.equal((await last(there.id))[0], "created");
  const changes = await t.db
    .selectFrom("changes")
    .select(["kind", "target_id"])
    .orderBy("target_id")
    .execute();
  assert.deepEqual(
    changes,
    [fresh, moved].map(({ id }) => ({ kind: "issue", target_id: id })),
  );
});

test("null removes issues from their sprints", async () => {
  const board = await open();
  const issue = await board.make({ sprint_id: await board.sprint() });
  const answer = await board.admin.post(board.assign, { issue_ids: [issue.id], sprint_id: null });
  assert.equal(answer.body.data[0].sprint_id, null);
  assert.equal((await board.read(issue.id)).sprint_id, null);
});

test("a foreign or unknown id is 422 and nothing is moved", async () => {
  const [board, other] = [await open(), await open()];
  const [sprint, issue] = [await board.sprint(), await board.make()];
  const [foreignSprint, foreign] = [await other.sprint(), await other.make()];
  const send = (body: unknown) => board.admin.post(board.assign, body);
  const refused = await send({ issue_ids: [issue.id, foreign.id, 999_999], sprint_id: sprint });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["issue_ids.1", "issue_ids.2"]]);
  assert.deepEqual(refusalOf(await send({ issue_ids: [issue.id], sprint_id: foreignSprint })), [
    422,
    "sprint_id",
  ]);
  assert.deepEqual(await board.read(issue.id), issue);
  assert.deepEqual(await other.read(foreign.id), foreign);
  for (const [field, body] of [
    ["issue_ids", { sprint_id: sprint }],
    ["issue_ids", { issue_ids: [], sprint_id: sprint }],
    ["issue_ids", { issue_ids: [issue.id, issue.id], sprint_id: sprint }],
    ["issue_ids", { issue_ids: Array.from({ length: 501 }, (_, n) => n + 1), sprint_id: sprint }],
    ["sprint_id", { issue_ids: [issue.id] }],
    ["sprint_id", { issue_ids: [issue.id], sprint_id: "none" }],
  ] as const)
    assert.deepEqual(refusalOf(await send(body)), [422, field], JSON.stringify(body).slice(0, 80));
});

test("planning requires issues:update", async () => {
  const board = await open();
  const body = { issue_ids: [(await board.make()).id], sprint_id: await board.sprint() };
  const as = async (permissions: string[]) => {
    const user = await makeMember(t.db, board.id, { role: { permissions } });
    const client = t.http.as(await makePersonalToken(t.db, user.id));
    return (await client.post(board.assign, body)).status;
  };
  assert.equal(await as(["issues:read", "project:update"]), 403);
  assert.equal(await as(["issues:update"]), 200);
});

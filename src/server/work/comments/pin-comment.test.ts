import assert from "node:assert/strict";
import { test } from "node:test";
import type { Comment } from "../../../shared/comments.ts";
import { openBoard } from "../../../../test/support/board.ts";
import { collide } from "../../../../test/support/collide.ts";
import { COMMENTED, openDiscussion, type Discussion } from "../../../../test/support/comments.ts";
import { failWrites } from "../../../../test/support/fail-writes.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const board = await openBoard(t, await makeWorkspace(t.db));

const pinned = async (d: Discussion) =>
  (await d.list("?limit=100")).data.filter((comment) => comment.is_pinned).map((comment) => comment.id);
const likers = async (d: Discussion, id: number) =>
  (await d.list()).data.find((comment) => comment.id === id)?.liker_ids;

for (const on of COMMENTED) {
  test(`pinning another comment on ${on} unpins the previous one, and pinning or unpinning twice has no further effect`, async () => {
    const d = await openDiscussion(board, on);
    const root = await d.make();
    const reply = await d.reply(root);
    const elsewhere = await openDiscussion(board, on);
    const other = await elsewhere.make();
    await board.admin.post(`${elsewhere.of(other)}/pin`);
    for (const comment of [root, reply, reply, root]) {
      const answer = await board.admin.post(`${d.of(comment)}/pin`);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { ...comment, is_pinned: true });
      assert.deepEqual(await pinned(d), [comment.id]);
    }
    for (const comment of [reply, root, root]) {
      const answer = await board.admin.delete(`${d.of(comment)}/pin`);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, comment);
    }
    assert.deepEqual(await pinned(d), []);
    assert.deepEqual(await pinned(elsewhere), [other.id]);
  });

  test(`after ten concurrent pins on ${on}, exactly one comment is pinned`, async () => {
    const d = await openDiscussion(board, on);
    const comments: Comment[] = [];
    for (let n = 0; n < 10; n++) comments.push(await d.make());
    const lock = `select from ${on} where id = ${d.id} for update`;
    const answers = await collide(t.database, lock, async (waiting) => {
      const pins = comments.map((comment) => board.admin.post(`${d.of(comment)}/pin`));
      // The pool has ten connections.
      await waiting(10);
      return pins;
    });
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.body.is_pinned]),
      comments.map(() => [200, true]),
    );
    assert.equal((await pinned(d)).length, 1);
  });

  test(`a failed pin on ${on} leaves the previous comment pinned`, async () => {
    const d = await openDiscussion(board, on);
    const comment = await d.make();
    await board.admin.post(`${d.of(comment)}/pin`);
    assert.equal((await board.admin.post(`${d.url}/999999/pin`)).status, 404);
    const other = await d.make();
    const stopFailing = await failWrites(t.db, { table: "comments", id: other.id });
    assert.equal((await board.admin.post(`${d.of(other)}/pin`)).status, 500);
    await stopFailing();
    assert.deepEqual(await pinned(d), [comment.id]);
  });

  test(`if a comment on ${on} is deleted while it is being pinned, nothing is pinned and the pin is 404`, async () => {
    const d = await openDiscussion(board, on);
    const root = await d.make();
    const reply = await d.reply(root);
    await board.admin.post(`${d.of(reply)}/pin`);
    const lock = `select from ${on} where id = ${d.id} for update`;
    const [deleted, pin] = await collide(t.database, lock, async (waiting) => {
      const first = board.admin.delete(d.of(root));
      await waiting(1);
      const second = board.admin.post(`${d.of(root)}/pin`);
      await waiting(2);
      return [first, second];
    });
    assert.deepEqual([deleted?.status, pin?.status], [204, 404]);
    assert.deepEqual((await d.list()).data, []);
  });

  test(`anyone who may read comments on ${on} can toggle likes, including the author, on root comments and replies`, async () => {
    const d = await openDiscussion(board, on);
    const root = await d.make();
    const reply = await d.reply(root);
    const viewer = await makeMember(t.db, board.id, { role: "Viewer" });
    const client = t.http.as(await makePersonalToken(t.db, viewer.id));
    const ids = [board.adminId, viewer.id].toSorted((a, b) => a - b);
    for (const comment of [root, reply]) {
      const like = `${d.of(comment)}/like`;
      assert.deepEqual((await client.post(like)).body, { ...comment, liker_ids: [viewer.id] });
      assert.deepEqual((await board.admin.post(like, {})).body, { ...comment, liker_ids: ids });
      assert.deepEqual(await likers(d, comment.id), ids);
      const back = await client.post(like);
      assert.deepEqual([back.status, back.body], [200, { ...comment, liker_ids: [board.adminId] }]);
    }
  });
}

test("ten concurrent likes by ten users all count", async () => {
  const d = await openDiscussion(board, "issues");
  const comment = await d.make();
  const users = [];
  for (let n = 0; n < 10; n++) users.push(await makeMember(t.db, board.id, { role: "Reporter" }));
  const clients = await Promise.all(
    users.map(async ({ id }) => t.http.as(await makePersonalToken(t.db, id))),
  );
  const lock = `select from comments where id = ${comment.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const likes = clients.map((client) => client.post(`${d.of(comment)}/like`));
    await waiting(10);
    return likes;
  });
  assert.deepEqual(
    answers.map((answer) => answer.body.liker_ids.length).toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  assert.deepEqual(
    await likers(d, comment.id),
    users.map((user) => user.id),
  );
});

test("two concurrent toggles by one user cancel each other out", async () => {
  const d = await openDiscussion(board, "epics");
  const comment = await d.make();
  const lock = `select from comments where id = ${comment.id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const likes = [0, 1].map(() => board.admin.post(`${d.of(comment)}/like`));
    await waiting(2);
    return likes;
  });
  assert.deepEqual(answers.map((answer) => answer.body.liker_ids).sort(), [[], [board.adminId]]);
  assert.deepEqual(await likers(d, comment.id), []);
});

test("the database rejects a second pinned comment, and a reply to anything but a root comment on the same issue or epic", async () => {
  const [issue, epic] = [await openDiscussion(board, "issues"), await openDiscussion(board, "epics")];
  const root = await issue.make();
  const reply = await issue.reply(root);
  await board.admin.post(`${issue.of(root)}/pin`);
  const row = { project_id: board.id, user_id: board.adminId, content: "x" };
  const insert = (more: object) =>
    t.db
      .insertInto("comments")
      .values({ ...row, ...more })
      .execute();
  await assert.rejects(insert({ issue_id: issue.id, is_pinned: true }), { code: "23505" });
  await assert.rejects(insert({ issue_id: issue.id, parent_id: reply.id }), { code: "23503" });
  await assert.rejects(insert({ epic_id: epic.id, parent_id: root.id }), { code: "23503" });
  await assert.rejects(insert({ issue_id: issue.id, epic_id: epic.id }), { code: "23514" });
  await assert.rejects(insert({}), { code: "23514" });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { collide } from "../../../../test/support/collide.ts";
import { COMMENTED, openDiscussion } from "../../../../test/support/comments.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);

const MAX_BODY_LENGTH = 10_000;
const member = async () => {
  const user = await makeMember(t.db, board.id);
  return { user, client: t.http.as(await makePersonalToken(t.db, user.id)) };
};

for (const on of COMMENTED) {
  test(`a comment on ${on} has exactly the documented fields, when created and in the list`, async () => {
    const { id, url, list } = await openDiscussion(board, on);
    const answer = await board.admin.post(url, { content: " *Yes*\n\n@nobody ", unknown: 1 });
    assert.equal(answer.status, 201);
    const { id: commentId, created_at, ...rest } = answer.body;
    assert.deepEqual(rest, {
      content: " *Yes*\n\n@nobody ",
      parent_id: null,
      is_pinned: false,
      user_id: board.adminId,
      author_name: null,
      is_public: false,
      commentable_type: on,
      commentable_id: id,
      liker_ids: [],
      attachments: [],
    });
    assert.ok(Number.isInteger(commentId));
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual(await list(), { data: [answer.body], meta: { next_cursor: null, count: 1 } });
  });

  test(`a reply on ${on} must name a root comment on the same one, and anything else is 422 on parent_id`, async () => {
    const d = await openDiscussion(board, on);
    const root = await d.make();
    const reply = await d.make({ parent_id: root.id });
    assert.equal(reply.parent_id, root.id);
    assert.equal((await d.make({ parent_id: null })).parent_id, null);

    const sibling = await (await openDiscussion(board, on)).make();
    const cousin = await (await openDiscussion(board, on === "issues" ? "epics" : "issues")).make();
    const stranger = await (await openDiscussion(await openBoard(t, workspace), on)).make();
    const { meta } = await d.list();
    for (const parent_id of [
      reply.id,
      sibling.id,
      cousin.id,
      stranger.id,
      999_999,
      0,
      -1,
      1.5,
      "1",
      [root.id],
      2 ** 60,
    ]) {
      const answer = await board.admin.post(d.url, { content: "x", parent_id });
      assert.equal(answer.status, 422, String(parent_id));
      assert.deepEqual(Object.keys(answer.body.errors), ["parent_id"], String(parent_id));
    }
    assert.deepEqual((await d.list()).meta, meta);
  });

  test(`the content of a comment on ${on} is required, not blank, and at most 10,000 characters`, async () => {
    const d = await openDiscussion(board, on);
    const longest = "🚂".repeat(MAX_BODY_LENGTH);
    const made = await d.make({ content: longest });
    assert.equal(made.content, longest);
    for (const content of [undefined, null, "", " \n\t ", `${longest}x`, "a\0b", 5, ["x"]]) {
      for (const answer of [
        await board.admin.post(d.url, { content }),
        await board.admin.put(d.of(made), { content }),
      ]) {
        assert.equal(answer.status, 422);
        assert.deepEqual(Object.keys(answer.body.errors), ["content"]);
      }
    }
    assert.deepEqual((await d.list()).data, [made]);
    assert.equal((await d.make({ content: "a\ud800b" })).content, "a\ufffdb");
  });

  test(`an edit on ${on} changes only the content`, async () => {
    const d = await openDiscussion(board, on);
    const root = await d.make();
    const reply = await d.reply(root);
    await board.admin.post(`${d.of(reply)}/like`);
    await board.admin.post(`${d.of(reply)}/pin`);
    const answer = await board.admin.put(d.of(reply), { content: "Better", parent_id: null, user_id: 1 });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      ...reply,
      content: "Better",
      is_pinned: true,
      liker_ids: [board.adminId],
    });
    assert.deepEqual((await d.list()).data, [root, answer.body]);
  });

  test(`deleting a root comment on ${on} deletes its replies and likes; deleting a reply deletes only the reply`, async () => {
    const d = await openDiscussion(board, on);
    const [root, other] = [await d.make(), await d.make()];
    const [first, second] = [await d.reply(root), await d.reply(root)];
    await board.admin.post(`${d.of(second)}/like`);
    assert.equal((await board.admin.delete(d.of(first))).status, 204);
    assert.deepEqual(await d.ids(), [root.id, second.id, other.id]);
    const answer = await board.admin.delete(d.of(root));
    assert.deepEqual([answer.status, answer.text], [204, ""]);
    assert.deepEqual(await d.list(), { data: [other], meta: { next_cursor: null, count: 1 } });
    assert.equal((await board.admin.delete(d.of(second))).status, 404);
  });

  test(`deleting one of ${on} deletes its comments`, async () => {
    const d = await openDiscussion(board, on);
    const root = await d.make();
    await d.reply(root);
    await board.admin.post(`${d.of(root)}/like`);
    assert.equal((await board.admin.delete(`${board.url}/${on}/${d.id}`)).status, 204);
    const left = await t.db.selectFrom("comments").select("id").where("id", ">=", root.id).execute();
    assert.deepEqual(left, []);
    assert.equal((await board.admin.get(d.url)).status, 404);
  });

  test(`a reply to a root comment on ${on} that is being deleted is 422, and an earlier reply is deleted with the root`, async () => {
    const d = await openDiscussion(board, on);
    const root = await d.make();
    const lock = `select from comments where id = ${root.id} for update`;
    const reply = () => board.admin.post(d.url, { content: "Late", parent_id: root.id });
    const [deleted, late] = await collide(t.database, lock, async (waiting) => {
      const first = board.admin.delete(d.of(root));
      await waiting(1);
      const second = reply();
      await waiting(2);
      return [first, second];
    });
    assert.deepEqual([deleted?.status, late?.status], [204, 422]);
    assert.deepEqual(late?.body.errors, { parent_id: [`is not a comment on this ${on.slice(0, -1)}`] });

    const next = await d.make();
    const answers = await collide(
      t.database,
      `select from comments where id = ${next.id} for update`,
      async (waiting) => {
        const first = board.admin.post(d.url, { content: "Early", parent_id: next.id });
        await waiting(1);
        const second = board.admin.delete(d.of(next));
        await waiting(2);
        return [first, second];
      },
    );
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [201, 204],
    );
    assert.deepEqual((await d.list()).data, []);
  });
}

test("an issue counts its comments, and a path can name the issue by its key", async () => {
  const issue = await board.make();
  assert.equal(issue.comments_count, 0);
  const url = `/api/projects/${board.key}/issues/${issue.key}/comments`;
  const root = await board.admin.post(url, { content: "Root" });
  assert.equal(root.body.commentable_id, issue.id);
  await board.admin.post(url, { content: "Reply", parent_id: root.body.id });
  await board.admin.post(url, { content: "Another" });
  assert.equal((await board.read(issue.id)).comments_count, 3);
  const { data } = (await board.admin.get(board.issues)).body;
  assert.equal(data.find((one: { id: number }) => one.id === issue.id).comments_count, 3);
  await board.admin.delete(`${url}/${root.body.id}`);
  assert.equal((await board.read(issue.id)).comments_count, 1);
});

test("a comment notifies the mentioned users, and an edit the newly mentioned ones", async () => {
  const d = await openDiscussion(board, "issues");
  const [ann, bob] = [await member(), await member()];
  const inbox = async ({ client }: typeof ann) => {
    const { body } = await client.get("/api/notifications");
    return body.map((entry: { type: number; notifiable: { id: number } }) => [
      entry.type,
      entry.notifiable.id,
    ]);
  };
  const comment = await d.make({ content: `For @${ann.user.username}, and \`@${bob.user.username}\`` });
  assert.deepEqual([await inbox(ann), await inbox(bob)], [[[4, d.id]], []]);
  await ann.client.post("/api/notifications/read-all");
  await board.admin.put(d.of(comment), { content: `For @${ann.user.username} and @${bob.user.username}` });
  assert.deepEqual([await inbox(ann), await inbox(bob)], [[[4, d.id]], [[4, d.id]]]);
  const unread = await ann.client.get("/api/notifications?unread=true");
  assert.deepEqual(unread.body, []);
  await board.admin.delete(d.of(comment));
  assert.deepEqual(await inbox(bob), [[4, d.id]]);
});

test("every change of a comment is announced when it is committed", async () => {
  const d = await openDiscussion(board, "epics");
  const first = await d.make();
  const second = await d.make();
  await board.admin.put(d.of(first), { content: "Edited" });
  await board.admin.post(`${d.of(first)}/like`);
  await board.admin.post(`${d.of(first)}/pin`);
  await board.admin.post(`${d.of(second)}/pin`);
  await board.admin.delete(`${d.of(second)}/pin`);
  await board.admin.delete(`${d.of(second)}/pin`);
  await board.admin.delete(d.of(first));
  const changes = await t.db
    .selectFrom("changes")
    .select(["project_id", "target_id", "user_id"])
    .where("kind", "=", "comment")
    .where("commentable_type", "=", "epics")
    .where("commentable_id", "=", d.id)
    .orderBy("id")
    .execute();
  const changeOf = ({ id }: { id: number }) => ({ project_id: board.id, target_id: id, user_id: null });
  const [a, b] = [changeOf(first), changeOf(second)];
  // Create both; edit, like and pin the first; pin the second, which unpins the first; unpin the second; delete the first.
  assert.deepEqual(changes, [a, b, a, a, a, a, b, b, a]);
});

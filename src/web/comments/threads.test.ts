import assert from "node:assert/strict";
import { test } from "node:test";
import type { Comment } from "../../shared/comments.ts";
import { neighborOf, threadsOf } from "./threads.ts";

const comment = (id: number, fields: Partial<Comment> = {}): Comment => ({
  id,
  content: `Comment ${id}`,
  parent_id: null,
  is_pinned: false,
  user_id: 1,
  author_name: null,
  is_public: false,
  commentable_type: "issues",
  commentable_id: 1,
  created_at: "2026-11-21T00:00:00.000000Z",
  liker_ids: [],
  attachments: [],
  ...fields,
});
const idsOf = (threads: { root: Comment; replies: Comment[] }[]) =>
  threads.map(({ root, replies }) => [root.id, ...replies.map(({ id }) => id)]);

test("replies follow their root, oldest first", () => {
  const { threads } = threadsOf([
    { data: [comment(1), comment(4, { parent_id: 1 }), comment(3, { parent_id: 1 }), comment(2)] },
  ]);
  assert.deepEqual(idsOf(threads), [[1, 3, 4], [2]]);
});

test("the pinned thread is on every page, and is returned once, separately", () => {
  const pinned = [comment(9), comment(10, { parent_id: 9, is_pinned: true })];
  const found = threadsOf([{ data: [...pinned, comment(1)] }, { data: [...pinned, comment(2)] }]);
  assert.deepEqual(found.pinned && idsOf([found.pinned]), [[9, 10]]);
  assert.deepEqual(idsOf(found.threads), [[1], [2]]);
});

test("comments being sent come last, in the order they were sent", () => {
  const { threads } = threadsOf([{ data: [comment(-1), comment(5), comment(-2)] }]);
  assert.deepEqual(idsOf(threads), [[5], [-1], [-2]]);
});

test("the neighbor of a comment is the next one that is not its reply; for the last one, the previous", () => {
  const order = [comment(1), comment(2, { parent_id: 1 }), comment(3)];
  assert.equal(neighborOf(order, comment(1))?.id, 3);
  assert.equal(neighborOf(order, comment(3))?.id, 2);
  assert.equal(neighborOf([comment(1)], comment(1)), undefined);
});

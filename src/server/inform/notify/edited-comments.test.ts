import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import type { Client } from "../../../../test/support/client.ts";
import { collide } from "../../../../test/support/collide.ts";
import { inboxOf, mailsTo, switchOff, messagesTo, watch } from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Comment } from "../../../shared/comments.ts";
import type { Issue } from "../../../shared/issues.ts";

const t = await useTestApp();
const board = await openBoard(t, await makeWorkspace(t.db));

let issue: Issue;
let author: Client;
let user: TestUser;
let reader: Client;
beforeEach(async () => {
  issue = await board.make({ title: "Pay" });
  author = await as(await makeMember(t.db, board.id));
  user = await makeMember(t.db, board.id);
  reader = await as(user);
});

const as = async (one: { id: number }) => t.http.as(await makePersonalToken(t.db, one.id));
const comments = () => `${board.issues}/${issue.id}/comments`;
const say = async (content: string, by = author): Promise<Comment> => {
  const answer = await by.post(comments(), { content });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const edit = async ({ id }: Comment, content: string, by = author) => {
  const answer = await by.put(`${comments()}/${id}`, { content });
  assert.equal(answer.status, 200, answer.text);
};
const readAll = () => reader.post("/api/notifications/read-all");
const mentions = () => `Ada Moss mentioned you on ${issue.key} “Pay”`;

test("an edit notifies newly mentioned users, but neither watchers nor users mentioned before", async () => {
  const watcher = await makeMember(t.db, board.id);
  const known = await makeMember(t.db, board.id);
  const comment = await say(`@${known.username}`);
  await watch(t.db, issue.id, watcher);
  await edit(comment, `@${known.username} @${user.username}`);
  await edit(comment, `@${known.username} @${user.username}, really`);
  assert.deepEqual(await messagesTo(t, user), [[4, mentions()]]);
  assert.equal((await mailsTo(t.db, user)).length, 1);
  assert.deepEqual(await inboxOf(t, watcher), []);
  assert.equal((await inboxOf(t, known)).length, 1);
  assert.equal((await mailsTo(t.db, known)).length, 1);
});

test("an edit that mentions a watcher turns their entry into an unread mention and sends its email", async () => {
  await watch(t.db, issue.id, user);
  const comment = await say("Look");
  const [before] = await inboxOf(t, user);
  await readAll();
  await edit(comment, `Look, @${user.username}`, board.admin);
  assert.deepEqual(
    (await inboxOf(t, user)).map(({ id, type, message, read_at, actor }) => [
      id,
      type,
      message,
      read_at,
      actor?.id,
    ]),
    [[before?.id, 4, mentions(), null, board.adminId]],
  );
  assert.deepEqual(
    (await mailsTo(t.db, user)).map((mail) => mail.preference),
    ["notify_watched_activity_email", "notify_mentions"],
  );
});

test("the email for such an entry depends on the preference for mentions", async () => {
  await watch(t.db, issue.id, user);
  await switchOff(t.db, user, ["notify_mentions"]);
  await edit(await say("Look"), `@${user.username}`);
  assert.deepEqual(
    (await mailsTo(t.db, user)).map((mail) => mail.preference),
    ["notify_watched_activity_email"],
  );
  assert.deepEqual(
    (await inboxOf(t, user)).map((entry) => entry.type),
    [4],
  );
});

test("a mention that is edited out and in again does not notify twice, and stays read", async () => {
  const comment = await say(`@${user.username}`);
  await readAll();
  await edit(comment, "Nobody");
  await edit(comment, `@${user.username}`);
  const [entry, ...more] = await inboxOf(t, user);
  assert.notEqual(entry?.read_at, null);
  assert.deepEqual(more, []);
  assert.equal((await mailsTo(t.db, user)).length, 1);
});

test("users who mention themselves in an edit are not notified", async () => {
  await edit(await say("Mine", reader), `@${user.username}`, reader);
  assert.deepEqual([await inboxOf(t, user), await mailsTo(t.db, user)], [[], []]);
});

test("an edit by someone else that mentions the author notifies the author", async () => {
  await edit(await say("Mine", reader), `Yours, @${user.username}`, board.admin);
  assert.deepEqual(await messagesTo(t, user), [[4, mentions()]]);
});

test("if two concurrent edits mention the same user, one notifies them", async () => {
  const comment = await say("Look");
  const lock = `select from comments where id = ${comment.id} for update`;
  await collide(t.database, lock, async (waiting) => {
    const requests = [author, board.admin].map((by) => edit(comment, `@${user.username}`, by));
    await waiting(2);
    return requests;
  });
  assert.deepEqual(await messagesTo(t, user), [[4, mentions()]]);
  assert.equal((await mailsTo(t.db, user)).length, 1);
});

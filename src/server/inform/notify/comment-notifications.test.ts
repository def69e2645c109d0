import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { inboxOf, mailsTo, messagesTo } from "../../../../test/support/inbox.ts";
import { makeMember, makePersonalToken, makeUser, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();

const person = async (projectId: number, first_name: string) => {
  const user = await makeMember(t.db, projectId, { user: await makeUser(t.db) });
  await t.db.updateTable("users").set({ first_name }).where("id", "=", user.id).execute();
  return { ...user, client: t.http.as(await makePersonalToken(t.db, user.id)) };
};

test("a comment with a mention, a reply and an edit notify the right users with the right messages", async () => {
  const board = await openBoard(t, await makeWorkspace(t.db));
  const [lena, omar, kim, zoe] = await Promise.all(
    ["Lena", "Omar", "Kim", "Zoe"].map((name) => person(board.id, name)),
  );
  assert.ok(lena && omar && kim && zoe);
  // Lena watches it because she created it; Omar because it is assigned to him.
  const made = await lena.client.post(board.issues, { title: "Checkout fails", assignee_id: omar.id });
  const { key } = made.body;
  const comments = `${board.issues}/${key}/comments`;
  const say = async (by: typeof lena, body: object): Promise<number> => {
    const answer = await by.client.post(comments, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id;
  };
  const content = `@${omar.username}, is this yours? Not \`@${zoe.username}\`'s.`;
  const root = await say(kim, { content });
  const reply = await say(omar, { content: "Mine.", parent_id: root });
  const edited = await kim.client.put(`${comments}/${root}`, {
    content: `${content} @${lena.username} @${zoe.username}`,
  });
  assert.equal(edited.status, 200);

  const what = `${key} “Checkout fails”`;
  // Nothing for her own action; the edit turned her entry for Kim's comment into a mention; she watches Omar's.
  assert.deepEqual(await messagesTo(t, lena), [
    [2, `Omar Moss commented on ${what}`],
    [4, `Kim Moss mentioned you on ${what}`],
  ]);
  // Mentioned and watching: one entry.
  assert.deepEqual(await messagesTo(t, omar), [
    [4, `Kim Moss mentioned you on ${what}`],
    [1, `Lena Moss assigned ${what} to you`],
  ]);
  // Watching because of a comment, and author of the parent comment: one entry.
  assert.deepEqual(await messagesTo(t, kim), [[2, `Omar Moss replied to your comment on ${what}`]]);
  // The mention in code has no effect; the edit's has.
  assert.deepEqual(await messagesTo(t, zoe), [[4, `Kim Moss mentioned you on ${what}`]]);

  const path = `/projects/${board.key}/issues/${key}`;
  const mailed = async (user: typeof lena) =>
    (await mailsTo(t.db, user)).map((mail) => [mail.preference, mail.button_path]);
  const [atRoot, atReply] = [`${path}#comment-${root}`, `${path}#comment-${reply}`];
  assert.deepEqual(await mailed(lena), [
    ["notify_watched_activity_email", atRoot],
    ["notify_watched_activity_email", atReply],
    ["notify_mentions", atRoot],
  ]);
  assert.deepEqual(await mailed(omar), [
    ["notify_assignment", path],
    ["notify_mentions", atRoot],
  ]);
  assert.deepEqual(await mailed(kim), [["notify_watched_activity_email", atReply]]);
  assert.deepEqual(await mailed(zoe), [["notify_mentions", atRoot]]);
});

test("an entry stays after its comment was deleted", async () => {
  const board = await openBoard(t, await makeWorkspace(t.db));
  const kim = await person(board.id, "Kim");
  const { key } = await board.make();
  const comments = `${board.issues}/${key}/comments`;
  const { id } = (await board.admin.post(comments, { content: `@${kim.username}` })).body;
  assert.equal((await board.admin.delete(`${comments}/${id}`)).status, 204);
  const [entry] = await inboxOf(t, kim);
  assert.equal(entry?.type, 4);
  const answer = await kim.client.post("/api/notifications/bulk-read", { notification_ids: [entry?.id] });
  assert.equal(answer.status, 204);
});

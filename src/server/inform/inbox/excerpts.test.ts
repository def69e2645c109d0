import assert from "node:assert/strict";
import { test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import { inboxOf } from "../../../../test/support/inbox.ts";
import { makeMember, makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { png } from "../../../../test/support/images.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);

/** A member whom the administrator mentions and who watches the reports. */
async function makeReader(permissions: ("issues:read" | "epics:read" | "reports:read")[]) {
  const user = await makeMember(t.db, board.id, { role: { permissions } });
  const client = t.http.as(await makePersonalToken(t.db, user.id));
  return { user, client, entries: () => inboxOf(t, user) };
}

const takeAway = (user: { id: number }) =>
  t.db
    .updateTable("roles")
    .set({ permissions: ["issues:read"] })
    .where("id", "in", (query) =>
      query.selectFrom("project_members").select("role_id").where("user_id", "=", user.id),
    )
    .execute();

test("an entry has the current words of its comment, without Markdown", async () => {
  const { user, entries } = await makeReader(["issues:read"]);
  const issue = await board.make();
  const comments = `${board.issues}/${issue.id}/comments`;
  const { body: comment } = await board.admin.post(comments, {
    content: `@${user.username} **Have** a \`look\``,
  });
  const [entry] = await entries();
  assert.deepEqual([entry?.excerpt, entry?.comment_id], [`@${user.username} Have a look`, comment.id]);
  await board.admin.put(`${comments}/${comment.id}`, { content: "Solved." });
  assert.equal((await entries())[0]?.excerpt, "Solved.");
  await board.admin.delete(`${comments}/${comment.id}`);
  assert.equal((await entries())[0]?.excerpt, null);
});

test("words of an epic's comment and of a report, and its first small image, are shown only while their reader may read them", async () => {
  const { user, client, entries } = await makeReader(["issues:read", "epics:read", "reports:read"]);
  await client.post(`${board.url}/reports/watch`);
  const epic = (await board.admin.post(`${board.url}/epics`, { title: "Launch" })).body.id;
  await board.admin.post(`${board.url}/epics/${epic}/comments`, { content: `@${user.username} when?` });
  const report = await board.admin.post(`${board.url}/reports`, {
    title: "Login",
    description: "It *fails*",
  });
  const shown = async () =>
    (await entries()).map(({ excerpt, epic_id, report_id, thumbnail_id }) => ({
      excerpt,
      epic_id,
      report_id,
      thumbnail_id,
    }));
  const files = `${board.url}/reports/${report.body.id}/attachments`;
  const add = async (filename: string, content: Buffer | string) =>
    (await upload(board.admin, files, [{ name: "file", filename, content }])).body.id;
  await add("log.txt", "It fails");
  const large = await add("large.png", await png(40, 40));
  await t.db
    .updateTable("attachments")
    .set({ size: 200_001, thumbnail: null })
    .where("id", "=", large)
    .execute();
  const thumbnail_id = await add("small.png", await png(20, 20));
  assert.deepEqual(await shown(), [
    { excerpt: "It fails", epic_id: null, report_id: report.body.id, thumbnail_id },
    { excerpt: `@${user.username} when?`, epic_id: epic, report_id: null, thumbnail_id: null },
  ]);
  await takeAway(user);
  const nothing = { excerpt: null, epic_id: null, report_id: null, thumbnail_id: null };
  const { body: queued } = await board.admin.get(`${board.url}/reports`);
  assert.deepEqual(
    queued.map((one: { first_image_id: number; thumbnail_id: number }) => [
      one.first_image_id,
      one.thumbnail_id,
    ]),
    [[large, thumbnail_id]],
  );
  assert.deepEqual(await shown(), [nothing, nothing]);
});

test("unread entries are counted by type, project and thing, and listed by thing", async () => {
  const { user, client } = await makeReader(["issues:read", "reports:read"]);
  await client.post(`${board.url}/reports/watch`);
  const issue = await board.make();
  for (const content of ["one", "two"])
    await board.admin.post(`${board.issues}/${issue.id}/comments`, {
      content: `@${user.username} ${content}`,
    });
  const { body } = await board.admin.post(`${board.url}/reports`, {
    title: "Login",
    description: "It fails",
  });
  assert.deepEqual((await client.get("/api/notifications/unread-counts")).body, {
    types: { 4: 2, 7: 1 },
    projects: { [board.id]: 3 },
    things: { [`issue:${issue.id}`]: 2, [`report:${body.id}`]: 1 },
  });
  const excerpts = async (query: string) =>
    (await client.get(`/api/notifications?${query}`)).body.map((entry: { excerpt: string }) => entry.excerpt);
  assert.deepEqual(await excerpts(`issue_id=${issue.id}`), [
    `@${user.username} two`,
    `@${user.username} one`,
  ]);
  assert.deepEqual(await excerpts(`report_id=${body.id}&unread=true`), ["It fails"]);
  assert.deepEqual(await excerpts("epic_id=999999"), []);
});

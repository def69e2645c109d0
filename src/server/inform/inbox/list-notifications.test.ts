import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openBoard } from "../../../../test/support/board.ts";
import type { Client } from "../../../../test/support/client.ts";
import { deleteHiddenRows } from "../../../../test/support/delete-hidden-rows.ts";
import { inboxOf, makeNotification } from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeUser,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Notification } from "../../../shared/notifications.ts";
import { notifyTeamMembership } from "../notify/membership-notifications.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const board = await openBoard(t, workspace);

let user: TestUser;
let client: Client;
beforeEach(async () => {
  user = await makeMember(t.db, board.id);
  client = t.http.as(await makePersonalToken(t.db, user.id));
});

const inbox = "/api/notifications";
const here = () => ({ workspace_id: workspace.id, project_id: board.id });
const put = (overrides?: Parameters<typeof makeNotification>[3]) =>
  makeNotification(t.db, user, here(), overrides);
const idsOf = (list: Notification[]) => list.map((entry) => entry.id);

test("an entry has exactly the documented fields", async () => {
  const picture = { avif: "/a.avif", webp: "/a.webp" };
  await t.db
    .updateTable("users")
    .set({ profile_picture: JSON.stringify(picture) })
    .where("id", "=", workspace.admin.id)
    .execute();
  const id = await put({ actor_id: workspace.admin.id, message: "Ada Moss added you" });
  const [entry, ...more] = (await client.get(inbox)).body;
  assert.match(entry.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.deepEqual(
    { ...entry, created_at: "" },
    {
      id,
      type: 5,
      message: "Ada Moss added you",
      read_at: null,
      created_at: "",
      actor: { id: workspace.admin.id, first_name: "Ada", last_name: "Moss", profile_picture: picture },
      notifiable: { type: "project", id: board.id, name: `Project ${board.key}` },
      excerpt: null,
      comment_id: null,
      report_id: null,
      epic_id: null,
      thumbnail_id: null,
      snoozed_until: null,
    },
  );
  assert.deepEqual(more, []);
});

test("the inbox contains only the caller's entries and starts empty", async () => {
  await makeNotification(t.db, await makeMember(t.db, board.id), here());
  const answer = await client.get(inbox);
  assert.deepEqual([answer.status, answer.body, answer.headers["link"]], [200, [], undefined]);
  assert.deepEqual((await client.get(`${inbox}/unread-count`)).body, { count: 0 });
});

test("pages are newest first, each links to the next, and new entries do not shift later pages", async () => {
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) ids.push(await put());
  const first = await client.get(`${inbox}?limit=2&unread=true`);
  const late = await put();
  assert.deepEqual(idsOf(first.body), [ids[4], ids[3]]);
  const [, link] = /^<(\/api\/notifications\?[^>]+)>; rel="next"$/.exec(first.headers["link"] ?? "") ?? [];
  assert.match(link ?? "", /limit=2&unread=true&cursor=/);
  const second = await client.get(link as string);
  assert.deepEqual(idsOf(second.body), [ids[2], ids[1]]);
  const [, last] = /^<(.+)>; rel="next"$/.exec(second.headers["link"] ?? "") ?? [];
  const third = await client.get(last as string);
  assert.deepEqual(idsOf(third.body), [ids[0]]);
  assert.equal(third.headers["link"], undefined);
  assert.deepEqual(idsOf((await client.get(`${inbox}?limit=1`)).body), [late]);
});

test("a page has 100 entries by default, and at most 500", async () => {
  await t.db
    .insertInto("notifications")
    .values(
      Array.from({ length: 501 }, (_, n) => ({ ...here(), user_id: user.id, type: 5, message: String(n) })),
    )
    .execute();
  assert.equal((await client.get(inbox)).body.length, 100);
  const most = await client.get(`${inbox}?limit=500`);
  assert.equal(most.body.length, 500);
  assert.ok(most.headers["link"]);
  assert.deepEqual((await client.get(`${inbox}/unread-count`)).body, { count: 501 });
});

for (const [query, field] of [
  ["limit=0", "limit"],
  ["limit=501", "limit"],
  ["limit=1.5", "limit"],
  ["limit=x", "limit"],
  ["limit=1&limit=2", "limit"],
  ["cursor=nonsense", "cursor"],
  ["unread=yes", "unread"],
  ["type=0", "type"],
  ["type=19", "type"],
  ["project_id=x", "project_id"],
] as const)
  test(`${query} is refused`, async () => {
    const answer = await client.get(`${inbox}?${query}`);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), [field]);
  });

test("filters narrow the list, alone and combined", async () => {
  const other = await makeProject(t.db, workspace.id);
  await makeMember(t.db, other.id, { user });
  const elsewhere = await makeNotification(t.db, user, { ...here(), project_id: other.id });
  const unread = await put({ type: 5 });
  const read = await put({ type: 5, read: true });
  const report = await put({ type: 7 });
  const list = async (query: string) => idsOf((await client.get(`${inbox}?${query}`)).body);
  assert.deepEqual(await list(""), [report, read, unread, elsewhere]);
  assert.deepEqual(await list("unread=true"), [report, unread, elsewhere]);
  assert.deepEqual(await list("unread=false"), [read]);
  assert.deepEqual(await list("type=7"), [report]);
  assert.deepEqual(await list(`project_id=${other.id}`), [elsewhere]);
  assert.deepEqual(await list(`project_id=${board.id}&unread=true&type=5`), [unread]);
  assert.deepEqual(await list("project_id=999999"), []);
  assert.deepEqual((await client.get(`${inbox}/unread-count`)).body, { count: 3 });
});

test("the actor of an entry is null after the user was deleted", async () => {
  const actor = await makeUser(t.db);
  const id = await put({ actor_id: actor.id });
  await t.db.deleteFrom("users").where("id", "=", actor.id).execute();
  const [entry] = (await client.get(inbox)).body;
  assert.deepEqual([entry.id, entry.actor], [id, null]);
});

test("an entry shows its issue's current title, or the recorded one after the issue was deleted", async () => {
  const { id, key } = await board.make({ title: "Old" });
  await makeNotification(t.db, user, { ...here(), issue: { id, key, title: "Old" } }, { type: 1 });
  const shown = async () => (await inboxOf(t, user)).map((entry) => entry.notifiable);
  const issue = { type: "issue", id, key, title: "Old", project_id: board.id };
  assert.deepEqual(await shown(), [issue]);
  await board.admin.patch(`${board.issues}/${id}`, { title: "New" });
  assert.deepEqual(await shown(), [{ ...issue, title: "New" }]);
  assert.equal((await board.admin.delete(`${board.issues}/${id}`)).status, 204);
  assert.deepEqual(await shown(), [issue]);
  const [entry] = await inboxOf(t, user);
  assert.equal((await client.post(`${inbox}/bulk-delete`, { notification_ids: [entry?.id] })).status, 204);
});

test("deleting a project deletes its entries", async () => {
  const other = await openBoard(t, workspace);
  const { id, key } = await other.make();
  await makeMember(t.db, other.id, { user });
  const about = { ...here(), project_id: other.id };
  await makeNotification(t.db, user, { ...about, issue: { id, key, title: "X" } }, { type: 1 });
  await makeNotification(t.db, user, about);
  assert.equal((await inboxOf(t, user)).length, 2);
  assert.equal((await other.admin.delete(other.url)).status, 202);
  assert.deepEqual(await inboxOf(t, user), []);
  await deleteHiddenRows(t);
  const left = await t.db.selectFrom("notifications").select("id").where("user_id", "=", user.id).execute();
  assert.deepEqual(left, []);
});

test("deleting a user deletes their inbox", async () => {
  const person = await makeMember(t.db, board.id);
  const id = await makeNotification(t.db, person, here());
  await t.db.deleteFrom("users").where("id", "=", person.id).execute();
  assert.deepEqual(await t.db.selectFrom("notifications").select("id").where("id", "=", id).execute(), []);
});

test("entries about a project are hidden while their owner has no access to it", async () => {
  const { id, key } = await board.make();
  await makeNotification(t.db, user, { ...here(), issue: { id, key, title: "Secret" } }, { type: 1 });
  await put();
  const count = async () => (await client.get(`${inbox}/unread-count`)).body.count;
  assert.deepEqual([(await inboxOf(t, user)).length, await count()], [2, 2]);
  assert.equal((await board.admin.delete(`${board.url}/members/${user.id}`)).status, 204);
  assert.deepEqual([await inboxOf(t, user), await count()], [[], 0]);
  await makeMember(t.db, board.id, { user, role: { permissions: ["reports:read"] } });
  const [entry, ...more] = await inboxOf(t, user);
  assert.deepEqual([entry?.notifiable.type, more, await count()], ["project", [], 1]);
});

test("an entry about a team is shown to members of its workspace", async () => {
  const team = { id: 7, name: "Core", workspace_id: workspace.id };
  await t.db
    .transaction()
    .execute((tx) => notifyTeamMembership(tx, { team, userIds: [user.id], actorId: workspace.admin.id }));
  const [entry] = await inboxOf(t, user);
  assert.deepEqual(
    [entry?.type, entry?.message, entry?.notifiable],
    [6, "Ada Moss added you to the team Core", { type: "team", id: 7, name: "Core" }],
  );
  await board.admin.delete(`/api/workspaces/${workspace.id}/members/${user.id}`);
  assert.deepEqual(await inboxOf(t, user), []);
});

test("a project token has no inbox", async () => {
  const token = t.http.as(await makeProjectToken(t.db, board.id, user.id));
  for (const url of [inbox, `${inbox}/unread-count`]) assert.equal((await token.get(url)).status, 403);
  assert.equal((await token.post(`${inbox}/read-all`)).status, 403);
  assert.equal((await token.post("/api/profile/notification-preferences", {})).status, 403);
});

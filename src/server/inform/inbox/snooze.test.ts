import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../../../../test/support/client.ts";
import { makeNotification } from "../../../../test/support/inbox.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeWorkspace,
  type TestUser,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Notification } from "../../../shared/notifications.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;
const projectId = (await makeProject(t.db, workspaceId)).id;

let user: TestUser;
let client: Client;
let a: number;
let b: number;
beforeEach(async () => {
  user = await makeMember(t.db, projectId);
  client = t.http.as(await makePersonalToken(t.db, user.id));
  a = await put();
  b = await put(true);
});

const put = (read = false) =>
  makeNotification(t.db, user, { workspace_id: workspaceId, project_id: projectId }, { read });
const inbox = "/api/notifications";
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const snooze = (ids: number[], until: string | null = inHours(3)) =>
  client.post(`${inbox}/bulk-snooze`, { notification_ids: ids, until });
const list = async (query = "") => (await client.get(`${inbox}?${query}`)).body as Notification[];
const states = async (query = "") =>
  (await list(query)).map(({ id, read_at }) => [id, read_at === null ? "unread" : "read"]);
const count = async () => (await client.get(`${inbox}/unread-count`)).body.count;

/** Lets the time of all snoozed entries come. */
const passTime = () =>
  sql`update notifications set snoozed_until = now() where snoozed_until is not null and user_id = ${user.id}`.execute(
    t.db,
  );

test("snoozed entries are hidden and not counted, and are listed by their own filter", async () => {
  assert.equal((await snooze([a, b])).status, 204);
  assert.deepEqual([await states(), await count()], [[], 0]);
  assert.deepEqual(await states("snoozed=true"), [
    [b, "unread"],
    [a, "unread"],
  ]);
  assert.deepEqual((await client.get(`${inbox}/unread-counts`)).body, {
    types: {},
    projects: {},
    things: {},
  });
});

test("a snoozed entry returns unread when its time has come, and only once", async () => {
  await snooze([a, b]);
  await passTime();
  assert.deepEqual(await states(), [
    [b, "unread"],
    [a, "unread"],
  ]);
  assert.deepEqual([await states("snoozed=true"), await count()], [[], 2]);
  await client.post(`${inbox}/bulk-read`, { notification_ids: [a, b] });
  assert.deepEqual([await states("unread=true"), await count()], [[], 0]);
  assert.deepEqual(
    (await list()).map((entry) => entry.snoozed_until),
    [null, null],
  );
});

test("the unread count says how soon the next entry returns", async () => {
  assert.deepEqual((await client.get(`${inbox}/unread-count`)).body, { count: 1 });
  await snooze([b], inHours(5));
  await snooze([a], inHours(2));
  const { body } = await client.get(`${inbox}/unread-count`);
  assert.equal(body.count, 0);
  const hours = body.next_return_ms / 3_600_000;
  assert.ok(hours > 1 && hours <= 2, String(hours));
});

test("new activity appears at once while earlier entries stay snoozed", async () => {
  await snooze([a, b]);
  const c = await put();
  assert.deepEqual([await states(), await count()], [[[c, "unread"]], 1]);
  assert.equal((await list("snoozed=true")).length, 2);
});

test("null ends a snooze, and reading ends it as well", async () => {
  await snooze([a, b]);
  assert.equal((await snooze([a], null)).status, 204);
  assert.deepEqual(await states(), [[a, "unread"]]);
  await client.post(`${inbox}/bulk-read`, { notification_ids: [b] });
  assert.deepEqual(await states(), [
    [b, "read"],
    [a, "unread"],
  ]);
});

test("ending the snooze of an entry that is not snoozed leaves it read", async () => {
  assert.equal((await snooze([b], null)).status, 204);
  assert.deepEqual(await states("unread=false"), [[b, "read"]]);
});

test("marking everything as read leaves snoozed entries unread", async () => {
  await snooze([a]);
  const c = await put();
  assert.equal((await client.post(`${inbox}/read-all`)).status, 204);
  assert.deepEqual(await states("unread=false"), [
    [c, "read"],
    [b, "read"],
  ]);
  await passTime();
  assert.deepEqual(await states("unread=true"), [[a, "unread"]]);
});

for (const [name, until] of [
  ["in the past", "2026-01-01T00:00:00Z"],
  ["without a zone", "2099-01-01T00:00:00"],
  ["that is a day", "2099-01-01"],
  ["that is missing", undefined],
] as const)
  test(`snoozing until a time ${name} is refused`, async () => {
    const answer = await client.post(`${inbox}/bulk-snooze`, { notification_ids: [a], until });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["until"]]);
    assert.deepEqual(await states("snoozed=true"), []);
  });

test("other users' entries cannot be snoozed", async () => {
  const other = await makeMember(t.db, projectId);
  const theirs = t.http.as(await makePersonalToken(t.db, other.id));
  const answer = await theirs.post(`${inbox}/bulk-snooze`, { notification_ids: [a], until: inHours(1) });
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["notification_ids.0"]]);
  assert.equal(await count(), 1);
});

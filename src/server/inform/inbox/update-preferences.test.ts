import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { makePersonalToken, makeUser, type TestUser } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { PREFERENCES } from "../../../shared/people.ts";

const t = await useTestApp();

let user: TestUser;
let client: Client;
beforeEach(async () => {
  user = await makeUser(t.db);
  client = t.http.as(await makePersonalToken(t.db, user.id));
});

const url = "/api/profile/notification-preferences";
const shown = async () => {
  const { body } = await client.get("/api/profile");
  return Object.fromEntries(PREFERENCES.map((preference) => [preference, body[preference]]));
};
const allTrue = Object.fromEntries(PREFERENCES.map((preference) => [preference, true]));

test("there are eleven preferences, all on by default", async () => {
  assert.equal(PREFERENCES.length, 11);
  assert.deepEqual(await shown(), allTrue);
});

for (const preference of PREFERENCES)
  test(`${preference} can be switched independently`, async () => {
    const off = await client.post(url, { [preference]: false });
    assert.equal(off.status, 200);
    assert.deepEqual(off.body, (await client.get("/api/profile")).body);
    assert.deepEqual(await shown(), { ...allTrue, [preference]: false });
    await client.post(url, { [preference]: true });
    assert.deepEqual(await shown(), allTrue);
  });

test("preferences that are missing or null stay unchanged, and unknown ones are ignored", async () => {
  await client.post(url, { notify_mentions: false, auto_watch_on_create: false });
  for (const body of [undefined, {}, { notify_mentions: null }, { username: "other", is_admin: true }])
    assert.equal((await client.post(url, body)).status, 200);
  assert.deepEqual(await shown(), { ...allTrue, notify_mentions: false, auto_watch_on_create: false });
  assert.equal((await client.get("/api/profile")).body.username, user.username);
});

test("the master switch does not change the others", async () => {
  await client.post(url, { notify_mentions: false });
  await client.post(url, { email_notifications_enabled: false });
  assert.deepEqual(await shown(), {
    ...allTrue,
    notify_mentions: false,
    email_notifications_enabled: false,
  });
  await client.post(url, { email_notifications_enabled: true });
  assert.deepEqual(await shown(), { ...allTrue, notify_mentions: false });
});

test("a value other than true and false is refused, and nothing changes", async () => {
  const body = { notify_mentions: false, notify_assignment: "no", auto_watch_on_create: 0 };
  const answer = await client.post(url, body);
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body.errors, {
    notify_assignment: ["must be true or false"],
    auto_watch_on_create: ["must be true or false"],
  });
  assert.deepEqual(await shown(), allTrue);
});

test("a token without the write scope cannot change preferences", async () => {
  const reader = t.http.as(await makePersonalToken(t.db, user.id, { write: false }));
  assert.equal((await reader.post(url, { notify_mentions: false })).status, 403);
  assert.deepEqual(await shown(), allTrue);
});

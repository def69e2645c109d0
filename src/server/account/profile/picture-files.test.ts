import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import path from "node:path";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../../../../test/support/client.ts";
import { storedKeys } from "../../../../test/support/files.ts";
import { png } from "../../../../test/support/images.ts";
import { type TestUser } from "../../../../test/support/make.ts";
import { openProfile, sendPicture, setPicture } from "../../../../test/support/profile-picture.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { removeDeletedFiles } from "../../files/storage/remove-deleted-files.ts";
import { sweepFiles } from "../../files/storage/sweep-files.ts";

const RED = { r: 220, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 220 };
let user: TestUser;
let me: Client;
const t = await useTestApp();

beforeEach(async () => {
  ({ user, me } = await openProfile(t));
});

const send = (filename: string, content: Buffer | string, client = me) =>
  sendPicture(client, filename, content);
const shown = async () => (await me.get("/api/profile")).body.profile_picture;

const rowKeys = async () => {
  const rows = await t.db.selectFrom("profile_pictures").select("storage_key").execute();
  return rows.map((row) => row.storage_key).sort();
};

const sent = (filename: string, content: Buffer, client = me) => setPicture(client, filename, content);

test("a new picture replaces the old one and deletes its files", async () => {
  const old = await sent("me.png", await png(40, 40, RED));
  const oldKeys = await storedKeys(t);
  const now = await sent("me.png", await png(40, 40, BLUE));
  assert.notEqual(now.webp, old.webp);
  for (const url of Object.values(old)) assert.equal((await me.get(url)).status, 404);
  for (const url of Object.values(now)) assert.equal((await me.get(url)).status, 200);
  const keys = await storedKeys(t);
  assert.equal(keys.length, 2);
  assert.ok(!keys.some((key) => oldKeys.includes(key)));
  assert.deepEqual(keys, await rowKeys());
  // The same image has the same address, but a separate file.
  assert.deepEqual(await sent("again.png", await png(40, 40, BLUE)), now);
  for (const url of Object.values(now)) assert.equal((await me.get(url)).status, 200);
  assert.deepEqual(await storedKeys(t), await rowKeys());
});

test("removing a picture sets it to null and deletes its files, and can be repeated", async () => {
  const urls = await sent("me.png", await png());
  assert.equal((await me.delete("/api/profile/picture")).status, 204);
  assert.equal(await shown(), null);
  assert.deepEqual(await storedKeys(t), []);
  for (const url of Object.values(urls)) assert.equal((await me.get(url)).status, 404);
  assert.equal((await me.delete("/api/profile/picture")).status, 204);
});

test("if two uploads race, one picture remains with exactly its two files", async () => {
  const answers = await Promise.all([
    send("me.png", await png(40, 40, RED)),
    send("me.png", await png(40, 40, BLUE)),
    me.delete("/api/profile/picture"),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 204],
  );
  await removeDeletedFiles(t.db, t.storage);
  assert.deepEqual(await storedKeys(t), await rowKeys());
  const urls = await shown();
  const names = await t.db.selectFrom("profile_pictures").select("file_name").orderBy("format").execute();
  assert.deepEqual(
    names.map(({ file_name }) => `/api/users/${user.id}/picture/${file_name}`),
    urls === null ? [] : [urls.avif, urls.webp],
  );
});

test("a failed write keeps the old picture, and leaves no file that the sweep misses", async () => {
  const before = await sent("me.png", await png());
  const keys = await storedKeys(t);
  await sql`alter table profile_pictures add constraint no_writes check (false) not valid`.execute(t.db);
  const answer = await send("me.png", await png(40, 40, BLUE));
  await sql`alter table profile_pictures drop constraint no_writes`.execute(t.db);
  assert.equal(answer.status, 500);
  assert.deepEqual(await shown(), before);
  assert.deepEqual(await rowKeys(), keys);
  await sweepFiles(t.db, t.storage, Date.now() + 2 * 3_600_000);
  assert.deepEqual(await storedKeys(t), keys);
});

test("the sweep keeps the files of current pictures, regardless of their age", async () => {
  const { webp } = await sent("me.png", await png());
  const keys = await storedKeys(t);
  const old = new Date(Date.now() - 48 * 3_600_000);
  for (const key of keys) await utimes(path.join(t.dataDir, "attachments", key.slice(0, 2), key), old, old);
  const { files, removed } = await sweepFiles(t.db, t.storage);
  assert.deepEqual({ files, removed }, { files: 2, removed: 0 });
  assert.equal((await me.get(webp)).status, 200);
});

test("deleting a user deletes their files", async () => {
  await sent("me.png", await png());
  await t.db.deleteFrom("users").where("id", "=", user.id).execute();
  assert.equal(await removeDeletedFiles(t.db, t.storage), 2);
  assert.deepEqual(await storedKeys(t), []);
});

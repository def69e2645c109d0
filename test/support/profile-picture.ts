import assert from "node:assert/strict";
import { removeDeletedFiles } from "../../src/server/files/storage/remove-deleted-files.ts";
import type { Client } from "./client.ts";
import { makeCookie, makeUser, type TestUser } from "./make.ts";
import { upload } from "./multipart.ts";
import type { TestApp } from "./test-app.ts";

/** A new user who is signed in. Removes the pictures of all others, and their files. */
export async function openProfile(t: TestApp): Promise<{ user: TestUser; me: Client }> {
  await t.db.deleteFrom("profile_pictures").execute();
  await removeDeletedFiles(t.db, t.storage);
  const user = await makeUser(t.db);
  return { user, me: t.http.withCookie(await makeCookie(t.db, user.id)) };
}

export const sendPicture = (client: Client, filename: string, content: Buffer | string) =>
  upload(client, "/api/profile/picture", [{ name: "file", filename, content }]);

/** Sends an image and returns the resulting picture. */
export async function setPicture(
  client: Client,
  filename: string,
  content: Buffer,
): Promise<{ avif: string; webp: string }> {
  const answer = await sendPicture(client, filename, content);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.profile_picture;
}

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import { storedKeys } from "../../../../test/support/files.ts";
import { png } from "../../../../test/support/images.ts";
import {
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../../test/support/make.ts";
import { openProfile, sendPicture, setPicture } from "../../../../test/support/profile-picture.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

let user: TestUser;
let me: Client;
const t = await useTestApp();

beforeEach(async () => {
  ({ user, me } = await openProfile(t));
});

const send = (filename: string, content: Buffer | string, client = me) =>
  sendPicture(client, filename, content);
const tokenOf = async (someone: TestUser) => t.http.as(await makePersonalToken(t.db, someone.id));

const sent = (filename: string, content: Buffer, client = me) => setPicture(client, filename, content);

test("a picture is visible to people who share a workspace, and returns 404 for everybody else", async () => {
  const { webp } = await sent("me.png", await png());
  const workspace = await makeWorkspace(t.db);
  const colleague = await tokenOf(await makeWorkspaceMember(t.db, workspace.id));
  assert.equal((await colleague.get(webp)).status, 404);
  await makeWorkspaceMember(t.db, workspace.id, { user });
  assert.equal((await colleague.get(webp)).status, 200);
  const strange = await makeWorkspace(t.db);
  const stranger = await tokenOf(strange.admin);
  const refused = await stranger.get(webp);
  assert.equal(refused.status, 404);
  assert.equal(refused.headers["cache-control"], "no-store");
  assert.deepEqual(refused.body, (await stranger.get(webp.replace(/\w{32}/, "0".repeat(32)))).body);
  assert.equal((await t.http.get(webp)).status, 401);
  const project = await makeProject(t.db, workspace.id);
  const owner = await makeMember(t.db, project.id);
  assert.equal((await t.http.as(await makeProjectToken(t.db, project.id, owner.id)).get(webp)).status, 403);
  await t.db
    .deleteFrom("workspace_members")
    .where("workspace_id", "=", workspace.id)
    .where("user_id", "=", user.id)
    .execute();
  assert.equal((await colleague.get(webp)).status, 404);
});

test("a picture is served only under its own user and file name", async () => {
  const { webp } = await sent("me.png", await png());
  const name = webp.slice(webp.lastIndexOf("/") + 1);
  const other = await makeUser(t.db);
  const at = (userId: unknown, file: string) => me.get(`/api/users/${userId}/picture/${file}`);
  assert.equal((await at(user.id, name)).status, 200);
  for (const id of [other.id, 0, -1, "x", "me", "9007199254740993"])
    assert.equal((await at(id, name)).status, 404, String(id));
  const [key] = await storedKeys(t);
  for (const file of [
    name.replace("webp", "avif"),
    name.toUpperCase(),
    name.slice(1),
    `${name}%00`,
    "%00",
    key as string,
    "..%2f..%2fsecret",
    "x".repeat(300),
  ])
    assert.equal((await at(user.id, file)).status, 404, file);
});

test("a token without the write scope cannot change the picture", async () => {
  const reader = t.http.as(await makePersonalToken(t.db, user.id, { write: false }));
  assert.equal((await send("me.png", await png(), reader)).status, 403);
  assert.equal((await reader.delete("/api/profile/picture")).status, 403);
  const writer = await tokenOf(user);
  assert.equal((await send("me.png", await png(), writer)).status, 200);
});

test("every response that contains a person contains their picture", async () => {
  const workspace = await makeWorkspace(t.db);
  const project = await makeProject(t.db, workspace.id);
  await makeMember(t.db, project.id, { user, role: "Manager" });
  const urls = await sent("me.png", await png());
  const pictures = async (url: string) =>
    (await me.get(url)).body.data
      .filter((row: { user_id: number }) => row.user_id === user.id)
      .map((row: { profile_picture: unknown }) => row.profile_picture);
  assert.deepEqual(await pictures(`/api/workspaces/${workspace.id}/members`), [urls]);
  assert.deepEqual(await pictures(`/api/projects/${project.id}/members`), [urls]);
  const added = await makeWorkspaceMember(t.db, workspace.id);
  const body = { user_id: added.id, role_id: await viewerRole(workspace.id) };
  assert.equal((await me.post(`/api/projects/${project.id}/members`, body)).status, 201);
  const inbox = await (await tokenOf(added)).get("/api/notifications");
  assert.deepEqual(inbox.body[0]?.actor.profile_picture, urls);
});

async function viewerRole(workspaceId: number): Promise<number> {
  const { id } = await t.db
    .selectFrom("roles")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("name", "=", "Viewer")
    .executeTakeFirstOrThrow();
  return id;
}

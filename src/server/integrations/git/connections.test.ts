import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../test/support/client.ts";
import {
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp({ PUBLIC_URL: "https://signalbox.example.com" });
const workspace = await makeWorkspace(t.db);

let project: { id: number };
let client: Client;
let url: string;
beforeEach(async () => {
  project = await makeProject(t.db, workspace.id);
  client = await withRole("Manager");
  url = `/api/projects/${project.id}/git-connections`;
});

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const withRole = async (role: "Manager" | "Member") => as(await makeMember(t.db, project.id, { role }));

test("only the response that creates a connection contains its secret", async () => {
  const made = await client.post(url, { host: "gitlab", name: "Shop" });
  assert.equal(made.status, 201);
  const { secret, ...connection } = made.body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.match(connection.url, /^https:\/\/signalbox\.example\.com\/api\/git\/[0-9A-Za-z]{32}$/);
  assert.deepEqual([connection.host, connection.name, connection.on_open], ["gitlab", "Shop", null]);
  assert.equal(connection.last_delivery_at, null);
  assert.deepEqual((await client.get(url)).body.data, [connection]);
  const changed = await client.patch(`${url}/${connection.id}`, { name: null, on_open: "doing" });
  assert.deepEqual(changed.body, { ...connection, name: null, on_open: "doing" });
});

test("a deleted connection is gone, and its address returns 404", async () => {
  const made = await client.post(url, { host: "github" });
  assert.equal((await client.delete(`${url}/${made.body.id}`)).status, 204);
  assert.equal((await client.delete(`${url}/${made.body.id}`)).status, 404);
  assert.deepEqual((await client.get(url)).body.data, []);
  const sent = await t.http.post(new URL(made.body.url).pathname, {});
  assert.equal(sent.status, 404);
});

test("invalid fields return 422 on their names", async () => {
  const fields = async (body: unknown) => Object.keys((await client.post(url, body)).body.errors).sort();
  assert.deepEqual(await fields({}), ["host"]);
  assert.deepEqual(await fields({ host: "cvs", name: "", on_open: "done" }), ["host", "name", "on_open"]);
});

test("managing connections requires project:update, and neither tokens nor ingest keys may do it", async () => {
  const made = await client.post(url, { host: "github" });
  const owner = await makeMember(t.db, project.id, { is_owner: true });
  const token = t.http.as(await makeProjectToken(t.db, project.id, owner.id));
  const key = t.http.as(await makeIngestKey(t.db, project.id));
  for (const one of [await withRole("Member"), token, key]) {
    assert.equal((await one.get(url)).status, 403);
    assert.equal((await one.post(url, { host: "github" })).status, 403);
    assert.equal((await one.patch(`${url}/${made.body.id}`, {})).status, 403);
    assert.equal((await one.delete(`${url}/${made.body.id}`)).status, 403);
  }
});

test("the audit log has the creation, changes and the deletion of a connection, without secrets", async () => {
  const made = await client.post(url, { host: "github", name: "Shop" });
  const path = `${url}/${made.body.id}`;
  await client.patch(path, { on_open: "doing" });
  await client.patch(path, { on_open: "doing" });
  await client.delete(path);
  const events = await t.db
    .selectFrom("audit_events")
    .select(["kind", "subject_name", "details"])
    .where("subject_type", "=", "git_connection")
    .where("subject_id", "=", made.body.id)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    events.map(({ kind, subject_name }) => `${kind} ${subject_name}`),
    ["git_connection.created Shop", "git_connection.changed Shop", "git_connection.deleted Shop"],
  );
  const text = JSON.stringify(events);
  assert.ok(!text.includes(made.body.secret) && !text.includes(made.body.url.split("/").at(-1)));
});

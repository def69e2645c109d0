import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../../../test/support/client.ts";
import { collide } from "../../../../../test/support/collide.ts";
import {
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeWorkspace,
} from "../../../../../test/support/make.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp({ PUBLIC_URL: "https://signalbox.example.com:8443" });
const workspace = await makeWorkspace(t.db);

let project: { id: number };
let client: Client;
let url: string;
beforeEach(async () => {
  project = await makeProject(t.db, workspace.id);
  client = await withRole("Manager");
  url = `/api/projects/${project.id}/ingest-keys`;
});

const as = async (user: { id: number }) => t.http.as(await makePersonalToken(t.db, user.id));
const withRole = async (role: "Manager" | "Member") => as(await makeMember(t.db, project.id, { role }));

test("a new project has one ingest key, named Default", async () => {
  const admin = await as(workspace.admin);
  const made = await admin.post("/api/projects", { key: "SHOP", name: "Shop", workspace_id: workspace.id });
  const list = await admin.get(`/api/projects/${made.body.id}/ingest-keys`);
  assert.equal(list.body.data.length, 1);
  const [key] = list.body.data;
  assert.equal(key.name, "Default");
  assert.match(key.key, /^[0-9a-f]{32}$/);
  assert.equal(key.dsn, `https://${key.key}@signalbox.example.com:8443/${made.body.id}`);
  assert.deepEqual([key.active, key.allowed_origins, key.last_used_at], [true, [], null]);
  assert.equal(key.created_by, workspace.admin.id);
});

test("a key is shown each time it is read, and a PATCH changes only the sent fields", async () => {
  const made = await client.post(url, { name: "Shop", allowed_origins: ["https://shop.example.com"] });
  assert.equal(made.status, 201);
  assert.deepEqual(Object.keys(made.body), [
    "id",
    "name",
    "key",
    "dsn",
    "active",
    "allowed_origins",
    "last_used_at",
    "created_by",
    "created_at",
  ]);
  const path = `${url}/${made.body.id}`;
  assert.deepEqual((await client.patch(path, { name: null, active: null })).body, made.body);
  const disabled = { ...made.body, active: false };
  assert.deepEqual((await client.patch(path, { active: false })).body, disabled);
  const open = { ...disabled, name: "Web", allowed_origins: [] };
  assert.deepEqual((await client.patch(path, { name: "Web", allowed_origins: [] })).body, open);
  assert.deepEqual((await client.get(url)).body, { data: [open], meta: { next_cursor: null } });
  assert.equal((await client.delete(path)).status, 204);
  assert.equal((await client.delete(path)).status, 404);
  assert.deepEqual((await client.get(url)).body.data, []);
});

test("origins are stored as browsers send them, without duplicates", async () => {
  const made = await client.post(url, {
    name: "Shop",
    allowed_origins: [
      "HTTPS://Shop.Example.com:443",
      "https://shop.example.com",
      "https://*.bücher.example",
      "http://localhost:5173",
      "http://[::1]:3000",
      "capacitor://localhost",
    ],
  });
  assert.deepEqual(made.body.allowed_origins, [
    "https://shop.example.com",
    "https://*.xn--bcher-kva.example",
    "http://localhost:5173",
    "http://[::1]:3000",
    "capacitor://localhost",
  ]);
});

test("invalid fields return 422 on their names", async () => {
  const fields = async (body: unknown) => Object.keys((await client.post(url, body)).body.errors).sort();
  assert.deepEqual(await fields({}), ["name"]);
  assert.deepEqual(await fields({ name: " ", active: "yes", allowed_origins: "https://a.example" }), [
    "active",
    "allowed_origins",
    "name",
  ]);
  for (const origin of [
    "shop.example.com",
    "https://shop.example.com/",
    "https://shop.example.com/cart",
    "https://user@shop.example.com",
    "https://shop.*.com",
    "https://**.example.com",
    "https://",
    "https://*.",
    "https://a.example:99999",
    "https://a b",
    "*",
    "null",
    "",
    7,
  ])
    assert.deepEqual(
      await fields({ name: "x", allowed_origins: ["https://fine.example", origin] }),
      ["allowed_origins.1"],
      String(origin),
    );
  const many = Array.from({ length: 51 }, (_, n) => `https://shop${n}.example`);
  assert.deepEqual(await fields({ name: "x", allowed_origins: many }), ["allowed_origins"]);
  assert.deepEqual((await client.get(url)).body.data, []);
});

test("a project has at most 50 keys", async () => {
  for (let n = 0; n < 50; n++) await makeIngestKey(t.db, project.id);
  const refused = await client.post(url, { name: "One more" });
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /at most 50/);
});

test("managing keys requires project:update, and no project token may do it", async () => {
  const made = await client.post(url, { name: "Shop" });
  const path = `${url}/${made.body.id}`;
  const owner = await makeMember(t.db, project.id, { is_owner: true });
  const token = t.http.as(await makeProjectToken(t.db, project.id, owner.id));
  for (const one of [await withRole("Member"), token]) {
    assert.equal((await one.get(url)).status, 403);
    assert.equal((await one.post(url, { name: "x" })).status, 403);
    assert.equal((await one.patch(path, { active: false })).status, 403);
    assert.equal((await one.delete(path)).status, 403);
  }
});

test("a key of another project returns 404", async () => {
  const other = await makeProject(t.db, workspace.id);
  const admin = await as(workspace.admin);
  const foreign = await admin.post(`/api/projects/${other.id}/ingest-keys`, { name: "Other" });
  for (const id of [foreign.body.id, 999_999, "x"]) {
    assert.equal((await client.patch(`${url}/${id}`, { name: 5 })).status, 404, String(id));
    assert.equal((await client.delete(`${url}/${id}`)).status, 404, String(id));
  }
});

test("changing a key while it is deleted returns 404", async () => {
  const { id } = (await client.post(url, { name: "Shop" })).body;
  const [answer] = await collide(t.database, `delete from ingest_keys where id = ${id}`, async (waiting) => {
    const request = client.patch(`${url}/${id}`, { active: false });
    await waiting(1);
    return [request];
  });
  assert.equal(answer?.status, 404, answer?.text);
});

test("the audit log has the creation, changes and the deletion of a key", async () => {
  const made = await client.post(url, { name: "Shop" });
  const path = `${url}/${made.body.id}`;
  await client.patch(path, { active: false });
  await client.patch(path, { active: false });
  await client.delete(path);
  const events = await t.db
    .selectFrom("audit_events")
    .select(["kind", "subject_name", "details"])
    .where("subject_type", "=", "ingest_key")
    .where("subject_id", "=", made.body.id)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    events.map(({ kind, subject_name }) => `${kind} ${subject_name}`),
    ["ingest_key.created Shop", "ingest_key.changed Shop", "ingest_key.deleted Shop"],
  );
  assert.deepEqual(
    events.map(({ details }) => (details as { active?: boolean }).active),
    [true, false, undefined],
  );
});

test("a deleted project has no keys", async () => {
  const key = await makeIngestKey(t.db, project.id);
  assert.equal((await (await as(workspace.admin)).delete(`/api/projects/${project.id}`)).status, 202);
  const sent = await t.http.as(key).post(`/api/projects/${project.id}/error-events`, {});
  assert.equal(sent.status, 401);
  const left = await t.db.selectFrom("ingest_keys").select("id").where("key", "=", key).execute();
  assert.deepEqual(left, []);
});

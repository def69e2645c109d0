import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  makeIngestKey,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openTestApp } from "../../../../test/support/test-app.ts";

const t = await openTestApp();
after(() => t.close());

const SHOP = "https://shop.example.com";
const workspace = await makeWorkspace(t.db);
const { id: projectId } = await makeProject(t.db, workspace.id);

const read = (key: string | undefined, origin?: string) =>
  t.http.send({
    method: "GET",
    url: "/api/widget",
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(origin !== undefined && { origin, "sec-fetch-site": "cross-site" }),
    },
  });

test("an ingest key's project is told to pages of any origin", async () => {
  const key = await makeIngestKey(t.db, projectId);
  const { status, body, headers } = await read(key, SHOP);
  assert.deepEqual([status, body], [200, { project_id: projectId }]);
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["access-control-allow-credentials"], undefined);
});

test("a preflight request may send a key", async () => {
  const { status, headers } = await t.http.send({
    method: "OPTIONS",
    url: "/api/widget",
    headers: { origin: SHOP, "access-control-request-method": "GET" },
  });
  assert.equal(status, 204);
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["access-control-allow-methods"], "GET");
  assert.match(String(headers["access-control-allow-headers"]), /authorization/);
});

test("a key with a list of origins is refused to pages of another one, which cannot read why", async () => {
  const key = await makeIngestKey(t.db, projectId, { allowed_origins: [SHOP] });
  const allowed = await read(key, SHOP);
  assert.deepEqual([allowed.status, allowed.headers["access-control-allow-origin"]], [200, SHOP]);
  const refused = await read(key, "https://blog.example.com");
  assert.deepEqual([refused.status, refused.headers["access-control-allow-origin"]], [403, undefined]);
});

test("a missing, unknown or disabled key is 401, any other credential 403", async () => {
  const disabled = await makeIngestKey(t.db, projectId, { active: false });
  for (const key of [undefined, "0".repeat(32), disabled])
    assert.equal((await read(key, SHOP)).status, 401, key);
  const token = await makePersonalToken(t.db, workspace.admin.id);
  assert.equal((await read(token)).status, 403);
});

test("if Reports are off, only a valid key is told so", async () => {
  const { id } = await makeWorkspace(t.db, { features: { reports: false } });
  const project = await makeProject(t.db, id);
  const { status, body } = await read(await makeIngestKey(t.db, project.id), SHOP);
  assert.deepEqual([status, body.feature_restricted], [403, true]);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import pg from "pg";
import { anEvent } from "../../../../test/support/error-events.ts";
import { waitUntil } from "../../../../test/support/eventually.ts";
import {
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProject,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));

let project: { id: number; key: string };
let url: string;
beforeEach(async () => {
  project = await makeProject(t.db, workspace.id);
  url = `/api/projects/${project.id}/error-events`;
});

const SHOP = "https://shop.example.com";

const send = (key: string, { to = url, origin = "", body = anEvent(), app = t } = {}) =>
  app.http.send({
    method: "POST",
    url: to,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(origin === "" ? {} : { origin, "sec-fetch-site": "cross-site" }),
    },
    payload: JSON.stringify(body),
  });

const keysOf = async () => (await admin.get(`/api/projects/${project.id}/ingest-keys`)).body.data;

test("an ingest key sends events to its project, addressed by id or key", async () => {
  const key = await makeIngestKey(t.db, project.id);
  assert.equal((await send(key)).status, 202);
  assert.equal((await send(key, { to: `/api/projects/${project.key}/error-events` })).status, 202);
  const groups = await admin.get(`/api/projects/${project.id}/error-groups`);
  assert.equal(groups.body.data[0].occurrence_count, 2);
});

test("an ingest key goes on working when its creator has lost access", async () => {
  const creator = await makeMember(t.db, project.id, { role: "Manager" });
  const client = t.http.as(await makePersonalToken(t.db, creator.id));
  const { key } = (await client.post(`/api/projects/${project.id}/ingest-keys`, { name: "App" })).body;
  await admin.delete(`/api/projects/${project.id}/members/${creator.id}`);
  assert.equal((await send(key)).status, 202);
});

test("an ingest key gets 403 at every other address, and for other projects", async () => {
  const key = await makeIngestKey(t.db, project.id);
  const client = t.http.as(key);
  const other = await makeProject(t.db, workspace.id);
  for (const one of [other.id, 999_999])
    assert.equal((await send(key, { to: `/api/projects/${one}/error-events` })).status, 403, String(one));
  assert.equal((await client.get(`/api/projects/${project.id}/error-groups`)).status, 403);
  assert.equal((await client.get("/api/profile")).status, 403);
  assert.equal((await client.get("/api/metrics")).status, 403);
  assert.equal((await client.post(`/api/projects/${project.id}/reports`, {})).status, 403);
});

test("an unknown key gets 401, a disabled one 403 at once, and a deleted one 401 at once", async () => {
  assert.equal((await send("0123456789abcdef0123456789abcdef")).status, 401);
  const key = await makeIngestKey(t.db, project.id);
  assert.equal((await send(key)).status, 202);
  const path = `/api/projects/${project.id}/ingest-keys/${(await keysOf())[0].id}`;
  await admin.patch(path, { active: false });
  const refused = await send(key);
  assert.equal(refused.status, 403);
  assert.match(refused.body.message, /disabled/);
  await admin.patch(path, { active: true });
  assert.equal((await send(key)).status, 202);
  await admin.delete(path);
  assert.equal((await send(key)).status, 401);
});

test("an ingest key gets 403 while error tracking is off", async () => {
  const other = await makeWorkspace(t.db, { features: { error_tracking: false } });
  const off = await makeProject(t.db, other.id);
  const refused = await send(await makeIngestKey(t.db, off.id), {
    to: `/api/projects/${off.id}/error-events`,
  });
  assert.equal(refused.status, 403);
  assert.equal(refused.body.feature_restricted, true);
});

test("a browser's preflight is answered without a credential", async () => {
  const { status, headers, text } = await t.http.send({
    method: "OPTIONS",
    url,
    headers: {
      origin: SHOP,
      "sec-fetch-site": "cross-site",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    },
  });
  assert.deepEqual([status, text], [204, ""]);
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.match(String(headers["access-control-allow-methods"]), /POST/);
  for (const name of ["authorization", "content-type", "content-encoding"])
    assert.ok(String(headers["access-control-allow-headers"]).split(", ").includes(name), name);
  assert.equal(headers["access-control-max-age"], "3600");
});

test("pages of every origin can use a key without a list, and can read errors", async () => {
  const key = await makeIngestKey(t.db, project.id);
  const cases = { 202: key, 401: "0123456789abcdef0123456789abcdef", 422: key };
  for (const [status, one] of Object.entries(cases)) {
    const answer = await send(one, { origin: SHOP, body: status === "422" ? {} : anEvent() });
    assert.equal(answer.status, Number(status));
    assert.equal(answer.headers["access-control-allow-origin"], "*", status);
    assert.match(String(answer.headers["access-control-expose-headers"]), /retry-after/);
  }
  const groups = await t.http.as(key).get(`/api/projects/${project.id}/error-groups`);
  assert.equal(groups.headers["access-control-allow-origin"], undefined);
});

test("a key with a list works for pages of these origins and for programs only", async () => {
  const key = await makeIngestKey(t.db, project.id, { allowed_origins: [SHOP, "https://*.example.org"] });
  assert.equal((await send(key)).status, 202);
  for (const origin of [SHOP, "https://a.b.example.org"])
    for (const [status, body] of [
      [202, anEvent()],
      [422, {}],
    ] as const) {
      const answer = await send(key, { origin, body });
      assert.equal(answer.status, status);
      assert.equal(answer.headers["access-control-allow-origin"], origin);
      assert.match(String(answer.headers["vary"]), /origin/);
    }
  for (const origin of ["https://evil.example", "https://example.org", "null"]) {
    const refused = await send(key, { origin });
    assert.equal(refused.status, 403, origin);
    assert.equal(refused.headers["access-control-allow-origin"], undefined, origin);
  }
});

test("an ingest key has its own rate limit", async () => {
  const limited = await openAppOn(t.database.url, { LIMIT_INGEST: "1" });
  try {
    const key = await makeIngestKey(t.db, project.id);
    const sending = Array.from({ length: 30 }, () => send(key, { app: limited, origin: SHOP }));
    const statuses = new Set((await Promise.all(sending)).map(({ status }) => status));
    assert.deepEqual([...statuses].sort(), [202, 429]);
    const other = await send(await makeIngestKey(t.db, project.id), { app: limited });
    assert.equal(other.status, 202);
  } finally {
    await limited.close();
  }
});

test("events with one key share the lookup of the key", async (context) => {
  const key = await makeIngestKey(t.db, project.id);
  const query = context.mock.method(pg.Client.prototype, "query");
  const answers = await Promise.all(Array.from({ length: 300 }, () => send(key)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
  const lookups = query.mock.calls.filter((call) => isLookup(call.arguments[0]));
  assert.ok(lookups.length > 0 && lookups.length < 10, `${lookups.length} lookups`);
});

/** Some statements are objects with their name. */
const isLookup = (statement: unknown) =>
  typeof statement === "string" && statement.includes('from "ingest_keys"');

test("the list says when a key was last used", async () => {
  const key = await makeIngestKey(t.db, project.id);
  assert.equal((await keysOf())[0].last_used_at, null);
  assert.equal((await send(key)).status, 202);
  await waitUntil(async () => (await keysOf())[0].last_used_at !== null);
});

import assert from "node:assert/strict";
import { request, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../../../test/support/error-events.ts";
import { waitUntil } from "../../../test/support/eventually.ts";
import {
  makeCookie,
  makeIngestKey,
  makeMember,
  makePersonalToken,
  makeProject,
  makeProjectToken,
  makeRole,
  makeWorkspace,
  makeWorkspaceMember,
  type TestUser,
} from "../../../test/support/make.ts";
import { MULTIPART, multipart } from "../../../test/support/multipart.ts";
import { makePerson, PASSWORD } from "../../../test/support/person.ts";
import { eventEnvelope } from "../../../test/support/sentry.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

/** Clients that hold back a part of their body until their rights have ended. */

const t = await useTestApp();
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
const workspace = await makeWorkspace(t.db);

/** The process's clock is ahead by this much, so that no test has to wait. */
let aheadMs = 0;
const now = performance.now.bind(performance);
performance.now = () => now() + aheadMs;

let latest: IncomingMessage | undefined;
t.app.server.prependListener("request", (received) => void (latest = received));

type Sent = { url: string; headers: Record<string, string>; body: Buffer | string; length?: boolean };

/**
 * Sends the first bytes of a request, waits until the server has admitted it, calls `meanwhile`, and sends the rest two seconds
 * later. Returns the response's status.
 */
async function sendSlowly({ url, headers, body, length = true }: Sent, meanwhile: () => Promise<unknown>) {
  const bytes = Buffer.from(body);
  const framing = length ? { "content-length": String(bytes.length) } : { "transfer-encoding": "chunked" };
  latest = undefined;
  const sent = request(`${base}${url}`, { method: "POST", headers: { ...headers, ...framing } });
  let status: number | undefined;
  sent.on("error", () => {}).once("response", (answer) => (status = answer.resume().statusCode));
  sent.write(bytes.subarray(0, 10));
  await waitUntil(() => isReadingBody(latest));
  await meanwhile();
  aheadMs += 2_000;
  // Events that are received before the framework are passed on after a second, and may be refused then.
  await waitUntil(() => status !== undefined || (latest?.listenerCount("data") ?? 0) > 0);
  sent.end(bytes.subarray(10));
  await waitUntil(() => status !== undefined);
  return status;
}

const isReadingBody = (received: IncomingMessage | undefined): boolean =>
  received !== undefined && received.listenerCount("data") + received.listenerCount("readable") > 0;

const json = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });

const FROM_BROWSER = { "sec-fetch-site": "same-origin", "content-type": "application/json" };

async function makeMemberWithToken(role: Parameters<typeof makeMember>[2] = {}) {
  const { id } = await makeProject(t.db, workspace.id);
  const user = await makeMember(t.db, id, role);
  return { id, user, url: `/api/projects/${id}`, token: await makePersonalToken(t.db, user.id) };
}

const removeMember = (projectId: number, user: TestUser) =>
  t.db
    .deleteFrom("project_members")
    .where("project_id", "=", projectId)
    .where("user_id", "=", user.id)
    .execute();

async function count(table: "issues" | "attachments" | "reports" | "error_groups", projectId: number) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where project_id = ${projectId}`.execute(t.db);
  return rows[0]?.count;
}

const ISSUE = JSON.stringify({ title: "It broke", type: 1 });

test("a slow body of a caller who keeps the rights is accepted", async () => {
  const { id, url, token } = await makeMemberWithToken();
  const issue = { url: `${url}/issues`, headers: json(token), body: ISSUE };
  assert.equal(await sendSlowly(issue, async () => {}), 201);
  assert.equal(await count("issues", id), 1);
});

test("an administrator who is deactivated while the body is sent invites nobody", async () => {
  const user = await makeWorkspaceMember(t.db, workspace.id, { is_admin: true });
  const headers = { ...FROM_BROWSER, cookie: await makeCookie(t.db, user.id) };
  const email = "late@example.com";
  const body = JSON.stringify({ email, is_admin: true });
  const invite = { url: `/api/workspaces/${workspace.id}/invitations`, headers, body };
  const count = async () =>
    (await t.db.selectFrom("invitations").select("id").where("email", "=", email).execute()).length;
  assert.equal(await sendSlowly(invite, async () => {}), 201);
  assert.equal(await count(), 1);
  const status = await sendSlowly(invite, () =>
    t.db
      .updateTable("workspace_members")
      .set({ deactivated_at: new Date().toISOString() })
      .where("user_id", "=", user.id)
      .execute(),
  );
  assert.equal(status, 403);
  assert.equal(await count(), 1);
});

test("a token that is revoked while the body is sent creates nothing", async () => {
  const { id, url, token, user } = await makeMemberWithToken();
  const status = await sendSlowly({ url: `${url}/issues`, headers: json(token), body: ISSUE }, () =>
    t.db.deleteFrom("personal_tokens").where("user_id", "=", user.id).execute(),
  );
  assert.equal(status, 401);
  assert.equal(await count("issues", id), 0);
});

test("a session that a password change ends while the body is sent creates no token", async () => {
  const person = await makePerson(t);
  const cookie = await makeCookie(t.db, person.id);
  const headers = { ...FROM_BROWSER, cookie };
  const browser = await person.signIn();
  const body = JSON.stringify({ name: "Thief", write: true, current_password: PASSWORD });
  const status = await sendSlowly({ url: "/api/profile/tokens", headers, body }, async () => {
    const changed = await browser.post("/api/profile/password", {
      current_password: PASSWORD,
      password: "a better password",
    });
    assert.equal(changed.status, 204, changed.text);
  });
  assert.equal(status, 401);
  const tokens = await t.db
    .selectFrom("personal_tokens")
    .select("id")
    .where("user_id", "=", person.id)
    .execute();
  assert.deepEqual(tokens, []);
});

test("a member who is removed while the body is sent creates nothing, also with an Idempotency-Key", async () => {
  for (const more of [{}, { "idempotency-key": "late" }]) {
    const { id, url, token, user } = await makeMemberWithToken();
    const headers = { ...json(token), ...more };
    const status = await sendSlowly({ url: `${url}/issues`, headers, body: ISSUE }, () =>
      removeMember(id, user),
    );
    assert.equal(status, 403);
    assert.equal(await count("issues", id), 0);
  }
});

test("a member who is removed while files are sent creates no report and no attachment", async () => {
  const { id, url, token, user } = await makeMemberWithToken();
  const headers = { authorization: `Bearer ${token}`, "content-type": MULTIPART };
  const fields = multipart([
    { name: "title", value: "It broke" },
    { name: "description", value: "It broke." },
  ]);
  assert.equal(
    await sendSlowly({ url: `${url}/reports`, headers, body: fields }, () => removeMember(id, user)),
    403,
  );
  assert.equal(await count("reports", id), 0);
  await makeMember(t.db, id, { user });
  // What was looked up for the refused request has expired.
  aheadMs += 2_000;
  assert.equal(await sendSlowly({ url: `${url}/reports`, headers, body: fields }, async () => {}), 201);
  const { id: reportId } = await t.db
    .selectFrom("reports")
    .select("id")
    .where("project_id", "=", id)
    .executeTakeFirstOrThrow();
  const file = multipart([{ name: "file", filename: "a.txt", content: "late" }]);
  const attach = { url: `${url}/reports/${reportId}/attachments`, headers, body: file };
  assert.equal(await sendSlowly(attach, () => removeMember(id, user)), 403);
  assert.equal(await count("attachments", id), 0);
});

test("a member whose role changes while a file is sent loses what only the route checks", async () => {
  const permissions = ["attachments:create", "issues:create", "issues:read"];
  const { id, url, token, user } = await makeMemberWithToken({ role: { permissions } });
  const role_id = await makeRole(t.db, workspace.id, { permissions: ["attachments:create", "issues:read"] });
  const headers = { authorization: `Bearer ${token}`, "content-type": MULTIPART };
  const body = multipart([{ name: "file", filename: "a.txt", content: "late" }]);
  const status = await sendSlowly({ url: `${url}/attachments`, headers, body }, () =>
    t.db.updateTable("project_members").set({ role_id }).where("user_id", "=", user.id).execute(),
  );
  assert.equal(status, 403);
  assert.equal(await count("attachments", id), 0);
});

test("an error event is not stored if its token or ingest key is revoked while it is sent", async () => {
  const { id } = await makeProject(t.db, workspace.id);
  await makeMember(t.db, id, { user: workspace.admin });
  const url = `/api/projects/${id}/error-events`;
  const body = JSON.stringify(anEvent());
  const token = await makeProjectToken(t.db, id, workspace.admin.id);
  const revoke = () => t.db.deleteFrom("project_tokens").where("project_id", "=", id).execute();
  const revokeKeys = () => t.db.deleteFrom("ingest_keys").where("project_id", "=", id).execute();
  // With a length, the event is received before the framework.
  assert.equal(await sendSlowly({ url, headers: json(token), body }, revoke), 401);
  const other = await makeProjectToken(t.db, id, workspace.admin.id);
  assert.equal(await sendSlowly({ url, headers: json(other), body, length: false }, revoke), 401);
  const key = await makeIngestKey(t.db, id);
  assert.equal(await sendSlowly({ url, headers: json(key), body }, revokeKeys), 401);
  assert.equal(await count("error_groups", id), 0);
});

test("an event of an SDK is not stored if its key is disabled while it is sent", async () => {
  const { id } = await makeProject(t.db, workspace.id);
  const event = { exception: { values: [{ type: "Error", value: "It broke" }] } };
  const key = await makeIngestKey(t.db, id);
  const setActive = (active: boolean) =>
    t.db.updateTable("ingest_keys").set({ active }).where("project_id", "=", id).execute();
  const dsn = `https://${key}@signalbox.example.com/${id}`;
  for (const [path, body] of [
    [`envelope/?sentry_key=${key}`, eventEnvelope(event)],
    ["envelope/", eventEnvelope(event, { dsn })],
    [`store/?sentry_key=${key}`, JSON.stringify(event)],
  ] as const) {
    await setActive(true);
    aheadMs += 2_000;
    const status = await sendSlowly({ url: `/api/${id}/${path}`, headers: {}, body }, () => setActive(false));
    assert.equal(status, 403, path);
  }
  assert.equal(await count("error_groups", id), 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import {
  connectApp,
  consent,
  exchange,
  makeApp,
  postForm,
  refresh,
  refusalOf,
  requestOf,
} from "../../../../../test/support/apps.ts";
import { listenTo } from "../../../../../test/support/event-stream.ts";
import { mailsTo } from "../../../../../test/support/inbox.ts";
import { makeCookie, makeMember, makeWorkspace } from "../../../../../test/support/make.ts";
import { makePerson, PASSWORD } from "../../../../../test/support/person.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { SCOPES } from "../../../../shared/token-scopes.ts";
import { randomSecret, sha256 } from "../../../access/tokens.ts";
import { deleteOldOauthRows } from "./delete-old-oauth-rows.ts";

const t = await useTestApp({}, { live: { checkMs: 50, heartbeatMs: 50 } });
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
const workspace = await makeWorkspace(t.db);
const project = await openProject(t, workspace);
const other = await openProject(t, workspace);
const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
const TOKENS = "/api/profile/tokens";
const allowed = { project_ids: [project.id] };

const grantOf = async (clientId: string, client = browser) =>
  (await client.get(`${TOKENS}?limit=200`)).body.data.find(
    (token: { client: { id: string } | null }) => token.client?.id === clientId,
  );
const statusWith = async (token: string) => (await t.http.as(token).get("/api/profile")).status;

test("the tokens of a profile list what was granted to an app", async () => {
  const { clientId, access_token } = await connectApp(t, browser, {
    ...allowed,
    scopes: ["issues:read", "errors:write"],
  });
  const unused = await grantOf(clientId);
  assert.deepEqual(
    [unused.name, unused.client, unused.scopes, unused.project_ids, unused.write, unused.last_used_at],
    [
      "Example agent",
      { id: clientId, redirect_host: "agent.example" },
      ["issues:read", "errors:write"],
      [project.id],
      true,
      null,
    ],
  );
  assert.equal(unused.last_four, access_token.slice(-4));
  assert.equal(await statusWith(access_token), 200);
  assert.notEqual((await grantOf(clientId)).last_used_at, null);
  const { body } = await browser.post(TOKENS, { name: "script" });
  assert.equal(body.client, null);
});

test("an access token reads and writes in its areas and projects only", async () => {
  const { access_token } = await connectApp(t, browser, { ...allowed, scopes: ["issues:write"] });
  const client = t.http.as(access_token);
  const post = async (path: string, body: object) => (await client.post(path, body)).status;
  assert.equal(await post(`/api/projects/${project.id}/issues`, { title: "Made by an app" }), 201);
  assert.equal(await post(`/api/projects/${other.id}/issues`, { title: "Elsewhere" }), 403);
  assert.equal(await post(`/api/projects/${project.id}/reports`, { title: "A", description: "B" }), 403);
  assert.equal(await post(`/api/projects/${project.id}/lanes`, { name: "Lane", kind: "todo" }), 403);
  assert.equal((await client.get("/api/workspaces")).status, 403);
  const { body } = await client.get("/api/projects");
  assert.deepEqual(
    body.data.map(({ id }: { id: number }) => id),
    [project.id],
  );
});

test("an app cannot manage tokens, sessions or apps, whatever its scopes", async () => {
  const { access_token } = await connectApp(t, browser, { ...allowed, scopes: [...SCOPES] });
  const client = t.http.as(access_token);
  for (const path of [TOKENS, "/api/profile/sessions", "/api/oauth/authorization?client_id=a&redirect_uri=b"])
    assert.equal((await client.get(path)).status, 403, path);
  assert.equal((await client.post(TOKENS, { name: "more" })).status, 403);
  const escalation = { ...requestOf("app"), approve: true, scopes: [...SCOPES], project_ids: [other.id] };
  assert.equal((await client.post("/api/oauth/consent", escalation)).status, 403);
});

test("an app gets no more than its user may do, now and later", async () => {
  const viewer = await makeMember(t.db, project.id, { role: "Viewer" });
  const session = t.http.withCookie(await makeCookie(t.db, viewer.id));
  const { access_token } = await connectApp(t, session, { ...allowed, scopes: [...SCOPES] });
  const client = t.http.as(access_token);
  const issues = `/api/projects/${project.id}/issues`;
  assert.equal((await client.get(issues)).status, 200);
  assert.equal((await client.post(issues, { title: "Beyond a Viewer" })).status, 403);
  assert.equal((await browser.delete(`/api/projects/${project.id}/members/${viewer.id}`)).status, 204);
  assert.equal((await client.get(issues)).status, 403);
});

test("revoking a grant in the profile ends its tokens at once, and only its own user can", async () => {
  const { clientId, access_token, refresh_token } = await connectApp(t, browser, allowed);
  const { id } = await grantOf(clientId);
  const stranger = await makeMember(t.db, project.id);
  const foreign = t.http.withCookie(await makeCookie(t.db, stranger.id));
  assert.equal((await foreign.delete(`${TOKENS}/${id}`)).status, 404);
  assert.equal(await grantOf(clientId, foreign), undefined);
  assert.equal(await statusWith(access_token), 200);
  assert.equal((await browser.delete(`${TOKENS}/${id}`)).status, 204);
  assert.equal(await statusWith(access_token), 401);
  assert.deepEqual(refusalOf(await refresh(t.http, clientId, refresh_token)), [400, "invalid_grant"]);
  assert.equal(await grantOf(clientId), undefined);
});

test("the audit log and an email tell of a grant, and the audit log of its revocation", async () => {
  const { clientId } = await connectApp(t, browser, { ...allowed, scopes: ["issues:read"] });
  const { id } = await grantOf(clientId);
  await browser.delete(`${TOKENS}/${id}`);
  const events = await t.db
    .selectFrom("audit_events")
    .select(["kind", "actor_id", "subject_name", "details"])
    .where("subject_type", "=", "personal_token")
    .where("subject_id", "=", id)
    .orderBy("id")
    .execute();
  const by = { actor_id: workspace.admin.id, subject_name: "Example agent" };
  assert.deepEqual(events, [
    {
      ...by,
      kind: "token.created",
      details: {
        write: false,
        scopes: ["issues:read"],
        project_ids: [project.id],
        client: clientId,
        redirect_host: "agent.example",
      },
    },
    { ...by, kind: "token.revoked", details: { client: clientId } },
  ]);
  const mail = (await mailsTo(t.db, workspace.admin)).at(-1);
  assert.equal(mail?.subject, "An app was connected to your account");
});

const revoke = (form: Record<string, string | undefined>) => postForm(t.http, "/api/oauth/revoke", form);

test("an app ends its grant with its refresh token, and one access token with that", async () => {
  const { clientId, access_token, refresh_token } = await connectApp(t, browser, allowed);
  assert.deepEqual(
    [(await revoke({ token: access_token })).status, await statusWith(access_token)],
    [200, 401],
  );
  const { body } = await refresh(t.http, clientId, refresh_token);
  assert.equal(await statusWith(body.access_token), 200);
  const form = { token: body.refresh_token, client_id: clientId, token_type_hint: "refresh_token" };
  const answer = await revoke(form);
  assert.deepEqual([answer.status, answer.text], [200, ""]);
  assert.equal(await statusWith(body.access_token), 401);
  assert.equal(await grantOf(clientId), undefined);
});

test("revoking an unknown token succeeds, and another client's or a person's token changes nothing", async () => {
  const { access_token, refresh_token } = await connectApp(t, browser, allowed);
  const personal = (await browser.post(TOKENS, { name: "script" })).body.token;
  for (const token of ["unknown", `${refresh_token}x`, personal])
    assert.equal((await revoke({ token })).status, 200);
  const foreign = await revoke({ token: refresh_token, client_id: await makeApp(t.db) });
  assert.deepEqual(refusalOf(foreign), [400, "invalid_client"]);
  assert.deepEqual(refusalOf(await revoke({})), [400, "invalid_request"]);
  assert.deepEqual([await statusWith(access_token), await statusWith(personal)], [200, 200]);
});

test("a password reset ends grants as it ends tokens, and a changed password ends neither", async () => {
  const person = await makePerson(t);
  await makeMember(t.db, project.id, { user: person });
  const session = t.http.withCookie(await makeCookie(t.db, person.id));
  const { access_token } = await connectApp(t, session, allowed);
  const personal = (await session.post(TOKENS, { name: "script" })).body.token;
  const statuses = async () => [await statusWith(access_token), await statusWith(personal)];
  const changed = await session.post("/api/profile/password", {
    current_password: PASSWORD,
    password: "another horse battery",
  });
  assert.equal(changed.status, 204, changed.text);
  assert.deepEqual(await statuses(), [200, 200]);
  const reset = async (revoke_tokens: boolean) => {
    const token = randomSecret();
    const expires_at = sql<string>`now() + interval '1 hour'`;
    await t.db
      .insertInto("password_resets")
      .values({ user_id: person.id, token_hash: sha256(token), expires_at })
      .execute();
    const body = { token, password: "a third horse battery", revoke_tokens };
    return (await t.http.post("/api/password/reset", body)).status;
  };
  // Both are older than the password.
  assert.equal(await reset(false), 204);
  assert.deepEqual(await statuses(), [200, 200]);
  assert.equal(await reset(true), 204);
  assert.deepEqual(await statuses(), [401, 401]);
});

test("a person who is deactivated in the workspace has no access through an app", async () => {
  const member = await makeMember(t.db, project.id);
  const session = t.http.withCookie(await makeCookie(t.db, member.id));
  const { access_token } = await connectApp(t, session, { ...allowed, scopes: ["issues:read"] });
  const issues = `/api/projects/${project.id}/issues`;
  assert.equal((await t.http.as(access_token).get(issues)).status, 200);
  const url = `/api/workspaces/${workspace.id}/members/${member.id}`;
  assert.equal((await browser.patch(url, { active: false })).status, 200);
  assert.equal((await t.http.as(access_token).get(issues)).status, 403);
});

test("a stream of live updates ends with its access token", async () => {
  const { clientId, access_token } = await connectApp(t, browser, allowed);
  const stream = await listenTo(base, { authorization: `Bearer ${access_token}` });
  assert.equal(stream.status, 200);
  await sql`update oauth_access_tokens set expires_at = now() where token_id in (
    select id from personal_tokens where oauth_client_id = ${clientId})`.execute(t.db);
  await stream.ended;
});

test("a grant whose code is not exchanged, or whose refresh token is not used, disappears", async () => {
  const clientId = await makeApp(t.db);
  await consent(browser, requestOf(clientId), allowed);
  assert.ok(await grantOf(clientId));
  await t.db
    .updateTable("personal_tokens")
    .set({ expires_at: sql`now()` })
    .where("oauth_client_id", "=", clientId)
    .execute();
  assert.equal(await grantOf(clientId), undefined);
});

test("the daily job deletes what has expired and unused registrations of yesterday, and keeps the rest", async () => {
  const connected = await connectApp(t, browser, allowed);
  const expired = await connectApp(t, browser, allowed);
  const unused = await makeApp(t.db);
  const fresh = await makeApp(t.db);
  const script = (await browser.post(TOKENS, { name: "script", expires_at: "2100-01-01T00:00:00Z" })).body;
  const old = sql<string>`now() - interval '25 hours'`;
  await t.db
    .updateTable("oauth_clients")
    .set({ created_at: old })
    .where("id", "in", [connected.clientId, expired.clientId, unused])
    .execute();
  await t.db
    .updateTable("personal_tokens")
    .set({ expires_at: old })
    .where((of) => of.or([of("oauth_client_id", "=", expired.clientId), of("id", "=", script.id)]))
    .execute();
  await sql`update oauth_access_tokens set expires_at = now() where token_id = (
    select id from personal_tokens where oauth_client_id = ${connected.clientId})`.execute(t.db);
  await deleteOldOauthRows(t.db);

  const rows = await t.db.selectFrom("oauth_clients").select("id").execute();
  const clients = new Set(rows.map(({ id }) => id));
  assert.deepEqual(
    [connected.clientId, expired.clientId, unused, fresh].map((id) => clients.has(id)),
    [true, true, false, true],
  );
  const tokens = await t.db.selectFrom("personal_tokens").select(["id", "oauth_client_id"]).execute();
  assert.ok(tokens.some(({ oauth_client_id }) => oauth_client_id === connected.clientId));
  assert.ok(!tokens.some(({ oauth_client_id }) => oauth_client_id === expired.clientId));
  assert.ok(tokens.some(({ id }) => id === script.id));
  assert.equal(await statusWith(connected.access_token), 401);
  assert.equal((await refresh(t.http, connected.clientId, connected.refresh_token)).status, 200);
});

test("a client that registered more than a day ago can connect if it was used before, and otherwise not", async () => {
  const [used, unused] = [await makeApp(t.db), await makeApp(t.db)];
  const { body } = await consent(browser, requestOf(used), allowed);
  const code = new URL(body.redirect_to).searchParams.get("code") ?? "";
  assert.equal((await exchange(t.http, used, code)).status, 200);
  await sql`update oauth_clients set created_at = now() - interval '25 hours'`.execute(t.db);
  assert.equal((await consent(browser, requestOf(used), allowed)).status, 200);
  assert.equal((await consent(browser, requestOf(unused), allowed)).status, 422);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { connectApp, makeApp, refresh, refusalOf } from "../../../../../test/support/apps.ts";
import { collide } from "../../../../../test/support/collide.ts";
import { mailsTo } from "../../../../../test/support/inbox.ts";
import { makeCookie, makeWorkspace } from "../../../../../test/support/make.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import type { Scope } from "../../../../shared/token-scopes.ts";
import { sha256 } from "../../../access/tokens.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const project = await openProject(t, workspace);
const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
const connect = (scopes?: Scope[]) =>
  connectApp(t, browser, { project_ids: [project.id], ...(scopes && { scopes }) });

const INVALID = [400, "invalid_grant"];
const statusWith = async (token: string) => (await t.http.as(token).get("/api/profile")).status;

test("a refresh token gives new tokens and is replaced", async () => {
  const first = await connect();
  const { status, body } = await refresh(t.http, first.clientId, first.refresh_token);
  assert.equal(status, 200);
  assert.notEqual(body.refresh_token, first.refresh_token);
  assert.deepEqual([await statusWith(body.access_token), await statusWith(first.access_token)], [200, 200]);
  assert.equal((await refresh(t.http, first.clientId, body.refresh_token)).status, 200);
});

test("a refresh token that comes twice revokes the grant: all of its tokens", async () => {
  const first = await connect();
  const { body: second } = await refresh(t.http, first.clientId, first.refresh_token);
  const { body: third } = await refresh(t.http, first.clientId, second.refresh_token);
  assert.deepEqual(refusalOf(await refresh(t.http, first.clientId, first.refresh_token)), INVALID);
  for (const { access_token } of [first, second, third]) assert.equal(await statusWith(access_token), 401);
  assert.deepEqual(refusalOf(await refresh(t.http, first.clientId, third.refresh_token)), INVALID);
  const { details, actor_name } = await t.db
    .selectFrom("audit_events")
    .select(["details", "actor_name"])
    .where("kind", "=", "token.revoked")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  assert.deepEqual(details, { client: first.clientId, reason: "refresh_token_used_twice" });
  assert.equal(actor_name, null);
  assert.equal((await mailsTo(t.db, workspace.admin)).at(-1)?.subject, "A connected app was disconnected");
});

test("of two refreshes with one token at once, one succeeds, and the other revokes the grant", async () => {
  const { clientId, refresh_token, access_token } = await connect();
  const lock = `select from personal_tokens where oauth_client_id = '${clientId}' for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = [refresh(t.http, clientId, refresh_token), refresh(t.http, clientId, refresh_token)];
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
  const { body } = answers.find(({ status }) => status === 200) ?? assert.fail();
  assert.deepEqual([await statusWith(access_token), await statusWith(body.access_token)], [401, 401]);
});

test("another client cannot use a refresh token, and does not revoke it", async () => {
  const { clientId, refresh_token } = await connect();
  assert.deepEqual(refusalOf(await refresh(t.http, await makeApp(t.db), refresh_token)), INVALID);
  assert.equal((await refresh(t.http, clientId, refresh_token)).status, 200);
});

test("a refresh cannot widen the scopes, and a refused one does not use the token up", async () => {
  const { clientId, refresh_token } = await connect(["issues:read", "errors:write"]);
  for (const scope of ["issues:write", "issues:read reports:read", "errors:write admin", ""])
    assert.deepEqual(
      refusalOf(await refresh(t.http, clientId, refresh_token, { scope })),
      scope === "" ? [200, undefined] : [400, "invalid_scope"],
      scope,
    );
});

test("a refresh can narrow the scopes of the access token", async () => {
  const { clientId, refresh_token } = await connect(["issues:read", "errors:write"]);
  const { body } = await refresh(t.http, clientId, refresh_token, { scope: "errors:read" });
  assert.equal(body.scope, "errors:read");
  const client = t.http.as(body.access_token);
  assert.equal((await client.get(`/api/projects/${project.id}/error-groups`)).status, 200);
  assert.equal((await client.get(`/api/projects/${project.id}/issues`)).status, 403);
  const next = await refresh(t.http, clientId, body.refresh_token);
  assert.equal(next.body.scope, "issues:read errors:write");
});

test("a refresh token lasts 30 days, and an access token an hour", async () => {
  const { clientId, refresh_token, access_token } = await connect();
  const lifetimeOf = async (table: "oauth_refresh_tokens" | "oauth_access_tokens", token: string) => {
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from expires_at - now()) / 3600)::int as hours from ${sql.table(table)}
      where token_hash = ${sha256(token)}`.execute(t.db);
    return rows[0]?.hours;
  };
  assert.deepEqual(
    [
      await lifetimeOf("oauth_refresh_tokens", refresh_token),
      await lifetimeOf("oauth_access_tokens", access_token),
    ],
    [720, 1],
  );
  for (const table of ["oauth_refresh_tokens", "oauth_access_tokens"] as const)
    await t.db
      .updateTable(table)
      .set({ expires_at: sql`now()` })
      .execute();
  assert.equal(await statusWith(access_token), 401);
  assert.deepEqual(refusalOf(await refresh(t.http, clientId, refresh_token)), INVALID);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import {
  exchange,
  getCode,
  makeApp,
  postForm,
  refusalOf,
  REDIRECT,
  refresh,
  requestOf,
  VERIFIER,
} from "../../../../../test/support/apps.ts";
import { collide } from "../../../../../test/support/collide.ts";
import { makeCookie, makeWorkspace } from "../../../../../test/support/make.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { sha256 } from "../../../access/tokens.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const project = await openProject(t, workspace);
const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
const app = await makeApp(t.db);
const allowed = { project_ids: [project.id] };
const newCode = (changes = {}) => getCode(browser, requestOf(app, changes), allowed);

const listed = async (): Promise<{ id: number; client: object | null }[]> =>
  (await browser.get("/api/profile/tokens?limit=200")).body.data;
const INVALID = [400, "invalid_grant"];

test("a code is exchanged for an access token of an hour and a refresh token, which are stored hashed", async () => {
  const answer = await exchange(t.http, app, await newCode());
  assert.equal(answer.status, 200, answer.text);
  const { access_token, refresh_token, ...rest } = answer.body;
  assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3_600, scope: "issues:write" });
  assert.match(access_token, /^sbx_oat_[0-9A-Za-z]{49}$/);
  assert.match(refresh_token, /^sbx_ort_[0-9A-Za-z]{49}$/);
  assert.equal(answer.headers["cache-control"], "no-store");
  const issues = await t.http.as(access_token).get(`/api/projects/${project.id}/issues`);
  assert.equal(issues.status, 200);
  for (const table of [
    "oauth_access_tokens",
    "oauth_refresh_tokens",
    "oauth_codes",
    "personal_tokens",
  ] as const) {
    const stored = JSON.stringify(await t.db.selectFrom(table).selectAll().execute());
    assert.ok(!stored.includes(access_token) && !stored.includes(refresh_token), table);
  }
});

test("a refresh token is no credential of the API", async () => {
  const { body } = await exchange(t.http, app, await newCode());
  assert.equal((await t.http.as(body.refresh_token).get("/api/profile")).status, 401);
});

test("a code that comes twice is refused and revokes what it gave", async () => {
  const code = await newCode();
  const { body } = await exchange(t.http, app, code);
  const client = t.http.as(body.access_token);
  assert.equal((await client.get("/api/profile")).status, 200);
  assert.deepEqual(refusalOf(await exchange(t.http, app, code)), INVALID);
  assert.equal((await client.get("/api/profile")).status, 401);
  assert.deepEqual(refusalOf(await refresh(t.http, app, body.refresh_token)), INVALID);
});

test("a stolen code that comes twice revokes what it gave, without its verifier and from another client", async () => {
  const code = await newCode();
  const { body } = await exchange(t.http, app, code);
  const thief = await makeApp(t.db);
  assert.deepEqual(
    refusalOf(await exchange(t.http, thief, code, { code_verifier: "x".repeat(43) })),
    INVALID,
  );
  assert.equal((await t.http.as(body.access_token).get("/api/profile")).status, 401);
});

test("of two exchanges of one code at once, one succeeds, and the other revokes its tokens", async () => {
  const code = await newCode();
  const id = (await listed()).at(-1)?.id;
  const lock = `select from personal_tokens where id = ${id} for update`;
  const answers = await collide(t.database, lock, async (waiting) => {
    const requests = [exchange(t.http, app, code), exchange(t.http, app, code)];
    await waiting(2);
    return requests;
  });
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
  const { body } = answers.find(({ status }) => status === 200) ?? assert.fail();
  assert.equal((await t.http.as(body.access_token).get("/api/profile")).status, 401);
  assert.ok(!(await listed()).some((token) => token.id === id));
});

for (const [what, code_verifier] of [
  ["another verifier", `${VERIFIER.slice(0, -1)}l`],
  ["the challenge itself", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"],
  ["a verifier that is too short", "short"],
] as const)
  test(`a code with ${what} is refused, and the client can still use it`, async () => {
    const code = await newCode();
    assert.deepEqual(refusalOf(await exchange(t.http, app, code, { code_verifier })), INVALID);
    assert.equal((await exchange(t.http, app, code)).status, 200);
  });

test("a code without a verifier is refused", async () => {
  const code = await newCode();
  const answer = await exchange(t.http, app, code, { code_verifier: undefined });
  assert.deepEqual(refusalOf(answer), [400, "invalid_request"]);
});

test("a code of another client is refused", async () => {
  const other = await makeApp(t.db);
  assert.deepEqual(refusalOf(await exchange(t.http, other, await newCode())), INVALID);
});

test("a code with another redirect address than in its request is refused", async () => {
  for (const redirect_uri of [`${REDIRECT}/`, "https://evil.example/callback"])
    assert.deepEqual(refusalOf(await exchange(t.http, app, await newCode(), { redirect_uri })), INVALID);
});

test("on the person's own computer, the address of the exchange has the same port as that of the request", async () => {
  const local = await makeApp(t.db, ["http://127.0.0.1/callback"]);
  const redirect_uri = "http://127.0.0.1:51234/callback";
  const code = await getCode(browser, requestOf(local, { redirect_uri }), allowed);
  const other = { redirect_uri: "http://127.0.0.1:51235/callback" };
  assert.deepEqual(refusalOf(await exchange(t.http, local, code, other)), INVALID);
  assert.equal((await exchange(t.http, local, code, { redirect_uri })).status, 200);
});

test("a code is refused after 60 seconds", async () => {
  const code = await newCode();
  const { rows } = await sql<{ seconds: number }>`
    select round(extract(epoch from expires_at - clock_timestamp()))::int as seconds from oauth_codes
    where code_hash = ${sha256(code)}`.execute(t.db);
  assert.ok((rows[0]?.seconds ?? 61) <= 60);
  await sql`update oauth_codes set expires_at = clock_timestamp() where code_hash = ${sha256(code)}`.execute(
    t.db,
  );
  assert.deepEqual(refusalOf(await exchange(t.http, app, code)), INVALID);
});

test("a code is refused after the person has revoked the grant", async () => {
  const code = await newCode();
  const id = (await listed()).at(-1)?.id;
  assert.equal((await browser.delete(`/api/profile/tokens/${id}`)).status, 204);
  assert.deepEqual(refusalOf(await exchange(t.http, app, code)), INVALID);
});

test("a token for another resource is refused, and so is one for another than was asked for", async () => {
  const mcp = "http://localhost:3000/api/mcp";
  const code = await newCode({ resource: mcp });
  for (const resource of ["https://evil.example/api/mcp", "http://localhost:3000", "mcp"])
    assert.deepEqual(refusalOf(await exchange(t.http, app, code, { resource })), [400, "invalid_target"]);
  const { status, body } = await exchange(t.http, app, code, { resource: mcp });
  assert.equal(status, 200);
  const elsewhere = { resource: "https://evil.example/api/mcp" };
  const refused = await refresh(t.http, app, body.refresh_token, elsewhere);
  assert.deepEqual(refusalOf(refused), [400, "invalid_target"]);
});

const FORMS: [what: string, form: Record<string, string>, error: string][] = [
  ["no grant type", { client_id: app }, "invalid_request"],
  ["no client", { grant_type: "authorization_code", code: "x", code_verifier: VERIFIER }, "invalid_request"],
  ["the password grant", { grant_type: "password", client_id: app }, "unsupported_grant_type"],
  ["a client's own grant", { grant_type: "client_credentials", client_id: app }, "unsupported_grant_type"],
  [
    "no code",
    { grant_type: "authorization_code", client_id: app, code_verifier: VERIFIER },
    "invalid_request",
  ],
  ["no refresh token", { grant_type: "refresh_token", client_id: app }, "invalid_request"],
  [
    "an unknown code",
    { grant_type: "authorization_code", client_id: app, code: "x", code_verifier: VERIFIER },
    "invalid_grant",
  ],
];
for (const [what, form, error] of FORMS)
  test(`a form with ${what} is refused as ${error}`, async () => {
    const answer = await postForm(t.http, "/api/oauth/token", form);
    assert.deepEqual(refusalOf(answer), [400, error]);
    assert.equal(answer.body.error_description, answer.body.message);
  });

test("a repeated parameter and a body that is too long are refused", async () => {
  const send = (payload: string) =>
    t.http.send({
      method: "POST",
      url: "/api/oauth/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload,
    });
  const repeated = `grant_type=refresh_token&client_id=${app}&client_id=other&refresh_token=x`;
  assert.deepEqual(refusalOf(await send(repeated)), [400, "invalid_request"]);
  assert.equal((await send(`grant_type=${"x".repeat(20_000)}`)).status, 413);
});

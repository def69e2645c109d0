import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { consent, exchange, refusalOf, REDIRECT, requestOf } from "../../../../../test/support/apps.ts";
import { makeCookie, makeWorkspace } from "../../../../../test/support/make.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const t = await useTestApp({ TRUST_PROXY: "127.0.0.1" });
const REGISTER = "/api/oauth/register";
let addresses = 0;

/** Registers from an address of its own unless one is given. */
const register = (body: unknown, from = `198.51.100.${++addresses}`) =>
  t.http.send({
    method: "POST",
    url: REGISTER,
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    payload: JSON.stringify(body),
  });
const count = async () => (await t.db.selectFrom("oauth_clients").select("id").execute()).length;

test("a client registers, connects and gets tokens, without any secret", async () => {
  const { status, body } = await register({
    client_name: "Example agent",
    redirect_uris: [REDIRECT, "http://localhost/callback"],
    token_endpoint_auth_method: "client_secret_basic",
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    response_types: ["code", "token"],
    scope: "admin",
    software_id: "unknown fields are ignored",
  });
  assert.equal(status, 201);
  const { client_id, client_id_issued_at, ...rest } = body;
  assert.match(client_id, /^app_[\w-]{16}$/);
  assert.ok(Number.isInteger(client_id_issued_at));
  assert.deepEqual(rest, {
    client_name: "Example agent",
    redirect_uris: [REDIRECT, "http://localhost/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
  const workspace = await makeWorkspace(t.db);
  const project = await openProject(t, workspace);
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const answer = await consent(browser, requestOf(client_id), { project_ids: [project.id] });
  const code = new URL(answer.body.redirect_to).searchParams.get("code") ?? "";
  assert.equal((await exchange(t.http, client_id, code)).status, 200);
});

test("a client without a name is called by its host", async () => {
  assert.equal((await register({ redirect_uris: [REDIRECT] })).body.client_name, "agent.example");
});

const REFUSED: [what: string, body: unknown, error: string][] = [
  ["no addresses", {}, "invalid_redirect_uri"],
  ["an empty list of addresses", { redirect_uris: [] }, "invalid_redirect_uri"],
  ["an address that is no text", { redirect_uris: [5] }, "invalid_redirect_uri"],
  ["addresses that are no list", { redirect_uris: REDIRECT }, "invalid_redirect_uri"],
  ["http", { redirect_uris: [REDIRECT, "http://agent.example/"] }, "invalid_redirect_uri"],
  ["a script", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
  ["a scheme of its own", { redirect_uris: ["agent://callback"] }, "invalid_redirect_uri"],
  ["a fragment", { redirect_uris: [`${REDIRECT}#x`] }, "invalid_redirect_uri"],
  ["a user", { redirect_uris: ["https://a@agent.example/"] }, "invalid_redirect_uri"],
  ["too many addresses", { redirect_uris: Array(11).fill(REDIRECT) }, "invalid_redirect_uri"],
  [
    "an address that is too long",
    { redirect_uris: [`${REDIRECT}/${"x".repeat(2_048)}`] },
    "invalid_redirect_uri",
  ],
  [
    "a name that is too long",
    { redirect_uris: [REDIRECT], client_name: "x".repeat(101) },
    "invalid_client_metadata",
  ],
  ["lines in its name", { redirect_uris: [REDIRECT], client_name: "A\nB" }, "invalid_client_metadata"],
  ["a reversed name", { redirect_uris: [REDIRECT], client_name: "\u202Eedualc" }, "invalid_client_metadata"],
  ["other grants only", { redirect_uris: [REDIRECT], grant_types: ["password"] }, "invalid_client_metadata"],
  [
    "other responses only",
    { redirect_uris: [REDIRECT], response_types: ["token"] },
    "invalid_client_metadata",
  ],
];
for (const [what, body, error] of REFUSED)
  test(`a registration with ${what} is refused as ${error}`, async () => {
    const before = await count();
    assert.deepEqual(refusalOf(await register(body)), [400, error]);
    assert.equal(await count(), before);
  });

test("a registration that is no object is 422", async () => {
  assert.equal((await register([])).status, 422);
});

test("an address registers at most ten clients within an hour, also at once", async () => {
  const from = "203.0.113.7";
  const answers = await Promise.all(
    Array.from({ length: 14 }, () => register({ redirect_uris: [REDIRECT] }, from)),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.deepEqual([answers.length - refused.length, refused.length], [10, 4]);
  for (const { headers } of refused) {
    const seconds = Number(headers["retry-after"]);
    assert.ok(seconds > 0 && seconds <= 3_600, String(seconds));
  }
  assert.equal((await register({ redirect_uris: [REDIRECT] }, "203.0.113.8")).status, 201);
  await sql`update oauth_clients set created_at = created_at - interval '61 minutes' where address = ${from}`.execute(
    t.db,
  );
  assert.equal((await register({ redirect_uris: [REDIRECT] }, from)).status, 201);
});

test("the addresses of an IPv6 customer count together", async () => {
  const statuses = [];
  for (let n = 1; n <= 11; n++)
    statuses.push((await register({ redirect_uris: [REDIRECT] }, `2001:db8:7:7::${n}`)).status);
  assert.deepEqual(statuses, [...Array<number>(10).fill(201), 429]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHALLENGE,
  consent,
  exchange,
  makeApp,
  REDIRECT,
  requestOf,
  VERIFIER,
} from "../../../../../test/support/apps.ts";
import { fieldsOf, type Answer } from "../../../../../test/support/client.ts";
import { makeCookie, makePersonalToken, makeWorkspace } from "../../../../../test/support/make.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const PUBLIC_URL = "https://signalbox.example.com";
const t = await useTestApp({ PUBLIC_URL });
const workspace = await makeWorkspace(t.db);
const project = await openProject(t, workspace);
const elsewhere = await openProject(t, await makeWorkspace(t.db));
const cookie = await makeCookie(t.db, workspace.admin.id).then((value) =>
  value.replace(/^[^=]+/, "__Host-signalbox"),
);
const browser = t.http.withCookie(cookie);
const app = await makeApp(t.db);
const allowed = { project_ids: [project.id] };

const ask = (changes: Record<string, string | undefined> = {}) => {
  const query = Object.entries(requestOf(app, changes)).filter(([, value]) => value !== undefined);
  return browser.get(`/api/oauth/authorization?${new URLSearchParams(query as [string, string][])}`);
};
const grants = async () => (await browser.get("/api/profile/tokens?limit=200")).body.data.length;
const parametersOf = (address: string) => Object.fromEntries(new URL(address).searchParams);

test("the page learns the client, its host, and what it asks for", async () => {
  const { status, body } = await ask({ scope: "issues:write errors:read offline_access" });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    client: { id: app, name: "Example agent", published_by: null },
    redirect_host: "agent.example",
    is_local: false,
    scopes: ["issues:write", "errors:read"],
    problem: null,
  });
  assert.deepEqual((await ask()).body.scopes, ["reports:read", "issues:read", "errors:read"]);
});

test("consent returns to the client with a code, its state and the issuer", async () => {
  const answer = await consent(browser, requestOf(app), allowed);
  assert.equal(answer.status, 200, answer.text);
  const { code, ...rest } = parametersOf(answer.body.redirect_to);
  assert.ok(answer.body.redirect_to.startsWith(`${REDIRECT}?code=`));
  assert.ok((code ?? "").length >= 43);
  assert.deepEqual(rest, { state: "the state", iss: PUBLIC_URL });
});

test("a refusal returns to the client without a grant, and names the issuer", async () => {
  const before = await grants();
  const answer = await browser.post("/api/oauth/consent", { ...requestOf(app), approve: false });
  assert.deepEqual(parametersOf(answer.body.redirect_to), {
    error: "access_denied",
    state: "the state",
    iss: PUBLIC_URL,
  });
  assert.equal(await grants(), before);
});

test("the answer is added to the query that the client's address has", async () => {
  const redirect_uri = `${REDIRECT}?tenant=4`;
  const other = await makeApp(t.db, [redirect_uri]);
  const { body } = await consent(browser, requestOf(other, { redirect_uri, state: undefined }), allowed);
  const { code, ...rest } = parametersOf(body.redirect_to);
  assert.ok(code);
  assert.deepEqual(rest, { tenant: "4", iss: PUBLIC_URL });
});

/** Nobody but the person may get an answer. */
async function requireNoRedirect(changes: Record<string, string | undefined>, field: string) {
  const before = await grants();
  for (const answer of [
    await ask(changes),
    await consent(browser, requestOf(app, changes), allowed),
    await browser.post("/api/oauth/consent", { ...requestOf(app, changes), approve: false }),
  ]) {
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(fieldsOf(answer), [field]);
    assert.ok(!answer.text.includes("redirect_to"));
  }
  assert.equal(await grants(), before);
}

for (const redirect_uri of [
  `${REDIRECT}/evil`,
  `${REDIRECT}?next=evil`,
  `${REDIRECT}#evil`,
  "https://agent.example:444/callback",
  "https://user@agent.example/callback",
  "https://agent.example@evil.example/callback",
  "https://agent.example/x/../callback",
  "http://agent.example/callback",
  "agent://callback",
  "javascript:alert(1)",
  undefined,
])
  test(`a request for ${redirect_uri} gets no redirect`, () =>
    requireNoRedirect({ redirect_uri }, "redirect_uri"));

for (const client_id of ["app_unknown", "", undefined, "https://127.0.0.1/client"])
  test(`a request of the client ${client_id} gets no redirect`, () =>
    requireNoRedirect({ client_id }, "client_id"));

const PROBLEMS: [what: string, changes: Record<string, string | undefined>, error: string, field: string][] =
  [
    [
      "the plain method",
      { code_challenge: VERIFIER, code_challenge_method: "plain" },
      "invalid_request",
      "code_challenge_method",
    ],
    [
      "no method, which means plain",
      { code_challenge_method: undefined },
      "invalid_request",
      "code_challenge_method",
    ],
    ["no challenge", { code_challenge: undefined }, "invalid_request", "code_challenge"],
    ["a challenge that is no hash", { code_challenge: `${CHALLENGE}=` }, "invalid_request", "code_challenge"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type", "response_type"],
    ["a code and a token", { response_type: "code token" }, "unsupported_response_type", "response_type"],
    ["no response type", { response_type: undefined }, "invalid_request", "response_type"],
    ["another server's resource", { resource: "https://evil.example/api/mcp" }, "invalid_target", "resource"],
    ["another path as resource", { resource: `${PUBLIC_URL}/api` }, "invalid_target", "resource"],
    ["a resource that is no address", { resource: "mcp" }, "invalid_target", "resource"],
    ["unknown scopes only", { scope: "admin" }, "invalid_scope", "scope"],
  ];
for (const [what, changes, error, field] of PROBLEMS)
  test(`a request with ${what} cannot be granted, and its client is told ${error}`, async () => {
    const before = await grants();
    const { status, body } = await ask(changes);
    assert.equal(status, 200);
    const told = parametersOf(body.problem.redirect_to);
    assert.deepEqual([told["error"], told["state"], told["iss"]], [error, "the state", PUBLIC_URL]);
    const answer = await consent(browser, requestOf(app, changes), allowed);
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [field]]);
    assert.equal(await grants(), before);
  });

for (const resource of [
  PUBLIC_URL,
  `${PUBLIC_URL}/`,
  `${PUBLIC_URL}/api/mcp`,
  "HTTPS://SIGNALBOX.example.com/api/mcp/",
])
  test(`the resource ${resource} is this server`, async () => {
    assert.equal((await ask({ resource })).body.problem, null);
  });

test("what is granted is what the person allows, whatever the client asked for", async () => {
  const request = requestOf(app, { scope: "issues:write reports:write errors:write" });
  const answer = await consent(browser, request, { scopes: ["issues:read"], ...allowed });
  const { code = "" } = parametersOf(answer.body.redirect_to);
  const { body } = await exchange(t.http, app, code);
  assert.equal(body.scope, "issues:read");
  const client = t.http.as(body.access_token);
  assert.equal((await client.get(`/api/projects/${project.id}/issues`)).status, 200);
  const written = await client.post(`/api/projects/${project.id}/issues`, { title: "More" });
  assert.equal(written.status, 403);
  assert.equal((await client.get(`/api/projects/${project.id}/reports`)).status, 403);
});

const REFUSED: [what: string, body: object, field: string][] = [
  ["no scope", { scopes: [] }, "scopes"],
  ["missing scopes", { scopes: undefined }, "scopes"],
  ["an unknown scope", { scopes: ["admin"] }, "scopes.0"],
  ["no project", { project_ids: [] }, "project_ids"],
  ["missing projects", { project_ids: undefined }, "project_ids"],
  ["a project without access", { project_ids: [project.id, elsewhere.id] }, "project_ids.1"],
  ["no decision", { approve: undefined }, "approve"],
  ["a decision that is text", { approve: "true" }, "approve"],
];
for (const [what, body, field] of REFUSED)
  test(`consent with ${what} is 422 on ${field} and grants nothing`, async () => {
    const before = await grants();
    const full = { ...requestOf(app), approve: true, scopes: ["issues:read"], project_ids: [project.id] };
    const answer = await browser.post("/api/oauth/consent", { ...full, ...body });
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, [field]]);
    assert.equal(await grants(), before);
  });

const decision = { ...requestOf(app), approve: true, scopes: ["issues:read"], project_ids: [project.id] };

for (const headers of [
  { "sec-fetch-site": "cross-site", origin: PUBLIC_URL },
  { "sec-fetch-site": "same-site" },
  { origin: "https://evil.example" },
  { origin: "null" },
  {},
])
  test(`another site cannot consent for a person: ${JSON.stringify(headers)}`, async () => {
    const before = await grants();
    const answer = await t.http.send({
      method: "POST",
      url: "/api/oauth/consent",
      headers: { cookie, "content-type": "application/json", ...headers },
      payload: JSON.stringify(decision),
    });
    assert.equal(answer.status, 403, answer.text);
    assert.equal(await grants(), before);
  });

test("a form of another site cannot consent, and neither can a link", async () => {
  const form = { method: "POST", url: "/api/oauth/consent", payload: "approve=true" };
  const headers = { cookie, "sec-fetch-site": "same-origin", "content-type": "text/plain" };
  assert.equal((await t.http.send({ ...form, headers })).status, 415);
  const query = new URLSearchParams({ ...requestOf(app), approve: "true" } as Record<string, string>);
  assert.equal((await browser.get(`/api/oauth/consent?${query}`)).status, 404);
});

test("only a browser session can read a request or consent", async () => {
  const before = await grants();
  const token = await makePersonalToken(t.db, workspace.admin.id);
  const scoped = await makePersonalToken(t.db, workspace.admin.id, {
    scopes: ["issues:write"],
    project_ids: [project.id],
  });
  const statusesOf = async (http: typeof t.http) => [
    (await http.get("/api/oauth/authorization?client_id=x&redirect_uri=y")).status,
    (await http.post("/api/oauth/consent", decision)).status,
  ];
  assert.deepEqual(await statusesOf(t.http.as(token)), [403, 403]);
  assert.deepEqual(await statusesOf(t.http.as(scoped)), [403, 403]);
  assert.deepEqual(await statusesOf(t.http), [401, 401]);
  assert.equal(await grants(), before + 2);
});

test("no page may show the answers of consent in a frame", async () => {
  const answers: Answer[] = [await ask(), await browser.post("/api/oauth/consent", decision)];
  for (const { headers } of answers) {
    assert.match(String(headers["content-security-policy"]), /frame-ancestors 'none'/);
    assert.equal(headers["x-frame-options"], "DENY");
  }
});

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { exchange, getCode, REDIRECT, requestOf } from "../../../../../test/support/apps.ts";
import { fieldsOf } from "../../../../../test/support/client.ts";
import { makeCookie, makeWorkspace } from "../../../../../test/support/make.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { openReceiver } from "../../../../../test/support/webhook-receiver.ts";

const t = await useTestApp({ WEBHOOK_ALLOW: "127.0.0.1" });
const workspace = await makeWorkspace(t.db);
const project = await openProject(t, workspace);
const cookie = await makeCookie(t.db, workspace.admin.id);
const browser = t.http.withCookie(cookie);

const ask = (client_id: string, http = browser) =>
  http.get(`/api/oauth/authorization?${new URLSearchParams(requestOf(client_id) as Record<string, string>)}`);

type Document = Record<string, unknown>;

/** Publishes a document, which `change` may alter, and returns its address. */
async function publish(
  context: TestContext,
  change: (document: Document, address: string) => unknown = (document) => document,
  status = 200,
) {
  const receiver = await openReceiver(context, (response) => {
    const body = change({ client_id: address, client_name: "Agent", redirect_uris: [REDIRECT] }, address);
    response.writeHead(status, { "content-type": "application/json", location: `${address}2` });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const address = `${receiver.url}/client`;
  return { address, received: receiver.received };
}

test("a client is known by the address of its metadata document, without a registration", async (context) => {
  const { address, received } = await publish(context);
  const { status, body } = await ask(address);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.client, { id: address, name: "Agent", published_by: new URL(address).host });
  assert.deepEqual([received[0]?.body, received[0]?.headers["cookie"]], ["", undefined]);
  const code = await getCode(browser, requestOf(address), { project_ids: [project.id] });
  assert.equal((await exchange(t.http, address, code)).status, 200);
  const { data } = (await browser.get("/api/profile/tokens")).body;
  const { name, client } = data.at(-1);
  assert.deepEqual([name, client], ["Agent", { id: address, redirect_host: "agent.example" }]);
});

const DOCUMENTS: [what: string, change: (document: Document, address: string) => unknown, status?: number][] =
  [
    ["names another client", (document) => ({ ...document, client_id: "https://claude.ai/client" })],
    ["names its address differently", (document, address) => ({ ...document, client_id: `${address}/` })],
    ["names no client", (document) => ({ ...document, client_id: undefined })],
    ["has no addresses", (document) => ({ ...document, redirect_uris: undefined })],
    [
      "has an unsafe address",
      (document) => ({ ...document, redirect_uris: [REDIRECT, "http://a.example/"] }),
    ],
    [
      "has a secret's method",
      (document) => ({ ...document, token_endpoint_auth_method: "client_secret_post" }),
    ],
    ["has a reversed name", (document) => ({ ...document, client_name: "\u202Etnega" })],
    ["is more than 10 KB", (document) => ({ ...document, padding: "x".repeat(10_240) })],
    ["is no JSON", () => "<html>"],
    ["is no object", () => "[]"],
    ["is a redirect", (document) => document, 302],
    ["is missing", (document) => document, 404],
  ];
for (const [what, change, status] of DOCUMENTS)
  test(`a client whose document ${what} is 422 on client_id`, async (context) => {
    const { address } = await publish(context, change, status);
    const answer = await ask(address);
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, ["client_id"]], answer.text);
  });

test("a document of exactly 10 KB is read", async (context) => {
  const { address } = await publish(context, (document) => {
    const text = JSON.stringify({ ...document, padding: "" });
    return text.replace('"padding":""', `"padding":"${"x".repeat(10_240 - text.length)}"`);
  });
  assert.equal((await ask(address)).status, 200);
});

test("a redirect address that the document does not name gets no answer", async (context) => {
  const { address } = await publish(context, (document) => ({
    ...document,
    redirect_uris: ["https://other.example/"],
  }));
  const answer = await ask(address);
  assert.deepEqual([answer.status, fieldsOf(answer)], [422, ["redirect_uri"]]);
});

for (const [what, address] of [
  ["http", "http://agent.example/client"],
  ["a loopback address", "https://127.0.0.2/client"],
  ["a loopback address in another form", "https://2130706434/client"],
  ["an IPv6 loopback address", "https://[::1]/client"],
  ["a private address", "https://10.0.0.1/client"],
  ["the address of a cloud's metadata", "https://169.254.169.254/latest/meta-data"],
  ["a name of this machine", "https://localhost/client"],
  ["a user", "https://user@agent.example/client"],
  ["a fragment", "https://agent.example/client#x"],
  ["no path", "https://agent.example/"],
  ["path traversal", "https://agent.example/x/../client"],
  ["capital letters", "https://AGENT.example/client"],
  ["another scheme", "ftp://agent.example/client"],
  ["a file", "file:///etc/passwd"],
] as const)
  test(`a client id with ${what} is 422 and not connected to`, async () => {
    const answer = await ask(address);
    assert.deepEqual([answer.status, fieldsOf(answer)], [422, ["client_id"]], answer.text);
  });

test("a document at a private address is not read unless its host is allowed", async (context) => {
  const strict = await useTestApp();
  const { address, received } = await publish(context);
  const owner = await makeWorkspace(strict.db);
  const session = strict.http.withCookie(await makeCookie(strict.db, owner.admin.id));
  for (const id of [address, address.replace("http:", "https:")])
    assert.deepEqual(fieldsOf(await ask(id, session)), ["client_id"]);
  assert.deepEqual(received, []);
});

test("people who are not signed in make the server read no document", async (context) => {
  const { address, received } = await publish(context);
  assert.equal((await ask(address, t.http)).status, 401);
  assert.deepEqual(received, []);
});

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connectApp } from "../../../../../test/support/apps.ts";
import {
  makeCookie,
  makePersonalToken,
  makeProjectToken,
  makeWorkspace,
} from "../../../../../test/support/make.ts";
import { callTool, connectMcp, REVISIONS } from "../../../../../test/support/mcp.ts";
import { openProject } from "../../../../../test/support/project.ts";
import { useTestApp } from "../../../../../test/support/test-app.ts";

const PUBLIC_URL = "http://localhost:3000";
const t = await useTestApp({ PUBLIC_URL });
const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
const workspace = await makeWorkspace(t.db);
const project = await openProject(t, workspace);
const token = await makePersonalToken(t.db, workspace.admin.id);
const url = `${base}/api/mcp`;

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = { ...list, params: { _meta: meta } };
const modernHeaders = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });

for (const revision of REVISIONS) {
  test(`a client of revision ${revision} connects, lists the tools in a fixed order, and calls one`, async () => {
    const client = await connectMcp(base, token, revision);
    after(() => client.close());
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    const first = await names();
    assert.deepEqual(first.slice(0, 4), ["search", "list_error_groups", "list_issues", "list_reports"]);
    assert.equal(first.length, 17);
    assert.deepEqual(await names(), first);
    const { isError, text } = await callTool(client, "list_issues", { project: project.id });
    assert.deepEqual([isError, text], [false, "No issues found.\n"]);
  });

  test(`every tool of revision ${revision} has annotations, and every argument a description`, async () => {
    const client = await connectMcp(base, token, revision);
    after(() => client.close());
    for (const { name, annotations, description, inputSchema } of (await client.listTools()).tools) {
      assert.ok(description, name);
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
      for (const hint of [readOnlyHint, destructiveHint, idempotentHint])
        assert.equal(typeof hint, "boolean", name);
      assert.equal(openWorldHint, false);
      const properties = Object.entries(inputSchema.properties ?? {});
      assert.ok(
        properties.some(([argument]) => argument === "max_tokens"),
        name,
      );
      for (const [argument, schema] of properties)
        assert.ok((schema as { description?: string }).description, `${name}.${argument}`);
    }
  });
}

test("a list of revision 2026-07-28 says for how long and for whom clients may keep it", async () => {
  const answer = await post(modern, modernHeaders);
  const { result } = (await answer.json()) as { result: { ttlMs: number; cacheScope: string } };
  assert.deepEqual([answer.status, result.ttlMs, result.cacheScope], [200, 300_000, "private"]);
});

test("headers that do not match the body are −32020, an unknown version is −32022", async () => {
  const codeOf = async (answer: Response) =>
    ((await answer.json()) as { error: { code: number } }).error.code;
  const wrongMethod = await post(modern, { ...modernHeaders, "mcp-method": "tools/call" });
  assert.deepEqual([wrongMethod.status, await codeOf(wrongMethod)], [400, -32020]);
  const { "mcp-method": _, ...withoutMethod } = modernHeaders;
  assert.equal(await codeOf(await post(modern, withoutMethod)), -32020);
  const call = { ...modern, method: "tools/call", params: { name: "search", arguments: {}, _meta: meta } };
  const named = { ...modernHeaders, "mcp-method": "tools/call", "mcp-name": "get_issue" };
  assert.equal(await codeOf(await post(call, named)), -32020);
  const future = { ...meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const unknown = await post(
    { ...modern, params: { _meta: future } },
    { ...modernHeaders, "mcp-protocol-version": "2099-01-01" },
  );
  assert.deepEqual([unknown.status, await codeOf(unknown)], [400, -32022]);
});

test("without a valid token the answer is 401 and names where to get one", async () => {
  for (const authorization of ["", "Bearer sbx_pat_unknown"]) {
    const answer = await post(list, { authorization });
    assert.equal(answer.status, 401);
    assert.equal(
      answer.headers.get("www-authenticate"),
      `Bearer resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/api/mcp"`,
    );
  }
});

test("browser sessions, project tokens and pages of other origins get 403", async () => {
  const cookie = await makeCookie(t.db, workspace.admin.id);
  const session = await fetch(url, {
    method: "POST",
    headers: { cookie, origin: PUBLIC_URL, "content-type": "application/json" },
    body: JSON.stringify(list),
  });
  assert.equal(session.status, 403);
  const projectToken = await makeProjectToken(t.db, project.id, workspace.admin.id);
  assert.equal((await post(list, { authorization: `Bearer ${projectToken}` })).status, 403);
  assert.equal((await post(list, { origin: "https://example.com" })).status, 403);
  assert.equal((await post(list, { origin: PUBLIC_URL })).status, 200);
});

test("GET and DELETE are 405", async () => {
  for (const method of ["GET", "DELETE"]) {
    const answer = await fetch(url, { method, headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST"]);
  }
});

test("the answer to an unknown tool, a batch or a malformed message is a JSON-RPC error", async () => {
  for (const body of [
    { ...list, method: "tools/call", params: { name: "drop_tables" } },
    {},
    [],
    "text",
    5,
  ]) {
    const answer = await post(body);
    const text = await answer.text();
    assert.ok(answer.status < 500, text);
    assert.match(text, /"error"/, JSON.stringify(body));
  }
});

test("an app that a person connected uses the tools within its scopes, and its changes name it in the audit log", async () => {
  const browser = t.http.withCookie(await makeCookie(t.db, workspace.admin.id));
  const scopes = ["issues:write" as const];
  const { access_token } = await connectApp(t, browser, { scopes, project_ids: [project.id] });
  const app = await connectMcp(base, access_token, "2026-07-28");
  after(() => app.close());
  const created = await callTool(app, "create_issue", { project: project.id, title: "From an app" });
  assert.equal(created.isError, false, created.text);
  assert.equal((await callTool(app, "list_error_groups", { project: project.id })).isError, true);
  const { data } = (await browser.get(`/api/workspaces/${workspace.id}/audit-events?kind=mcp`)).body;
  assert.equal(data[0]?.details.token_name, "Example agent");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenApi } from "../data/openapi.ts";
import { fieldsOf, findOperations, typeText } from "./operations.ts";
import { addressOf, canSend, curlOf, exampleOf, javaScriptOf } from "./requests.ts";

const PROJECT = {
  name: "projectId",
  in: "path",
  required: true,
  schema: { type: "string" },
  example: "WEB",
} as const;

const json = (schema: object, example?: unknown) => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

const DOCUMENT: OpenApi = {
  info: { title: "Signalbox", version: "1.0.0" },
  tags: [
    { name: "Reports", description: "" },
    { name: "Issues", description: "" },
  ],
  components: {
    schemas: {
      Report: { type: "object", properties: { id: { type: "integer" }, parent: { $ref: "#/x/Report" } } },
    },
    responses: {},
  },
  paths: {
    "/api/projects/{projectId}/issues": {
      get: {
        operationId: "listIssues",
        summary: "List issues",
        description: "",
        tags: ["Issues"],
        security: [{ token: [] }, { session: [] }],
        parameters: [PROJECT, { name: "query", in: "query", required: false, schema: { type: "string" } }],
        responses: { 200: { content: json({}) } },
      },
      post: {
        operationId: "createIssue",
        summary: "Create an issue",
        description: "",
        tags: ["Issues"],
        security: [{ token: [] }, { session: [] }],
        parameters: [PROJECT],
        requestBody: { required: true, content: json({}, { title: "It's empty" }) },
        responses: { 201: { content: json({}) } },
      },
    },
    "/api/projects/{projectId}/reports": {
      post: {
        operationId: "createReport",
        summary: "Create a report",
        description: "",
        tags: ["Reports"],
        security: [{ token: [] }],
        parameters: [PROJECT],
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                properties: {
                  title: { type: "string" },
                  files: { type: "array", items: { type: "string", format: "binary" } },
                },
              },
            },
          },
        },
        responses: { 204: {} },
      },
    },
  },
};

const ids = (query: string) =>
  findOperations(DOCUMENT, query).map(({ name, operations }) => [
    name,
    ...operations.map(({ operationId }) => operationId),
  ]);

function operation(id: string) {
  const found = findOperations(DOCUMENT, "")
    .flatMap(({ operations }) => operations)
    .find(({ operationId }) => operationId === id);
  assert.ok(found, id);
  return found;
}

const ORIGIN = "https://signalbox.example.com";

test("operations are grouped by area and found by words of their method, path, area and summary", () => {
  assert.deepEqual(ids(""), [
    ["Reports", "createReport"],
    ["Issues", "listIssues", "createIssue"],
  ]);
  assert.deepEqual(ids("POST issue"), [["Issues", "createIssue"]]);
  assert.deepEqual(ids("nothing"), []);
});

test("a curl example has the token, the filled path and the body, quoted for a shell", () => {
  const create = operation("createIssue");
  assert.equal(
    curlOf(DOCUMENT, create, ORIGIN, exampleOf(create, "SHOP")),
    `curl -X POST \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"title":"It'\\''s empty"}' \\
  '${ORIGIN}/api/projects/SHOP/issues'`,
  );
});

test("a JavaScript example is valid code that sends the same request", async () => {
  const create = operation("createIssue");
  const code = javaScriptOf(DOCUMENT, create, ORIGIN, exampleOf(create));
  const sent: unknown[] = [];
  const fetch = (...request: unknown[]) => {
    sent.push(...request);
    return { json: () => ({}) };
  };
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- runs the example
  await new Function("fetch", "token", `return (async () => { ${code} })()`)(fetch, "secret");
  assert.deepEqual(sent, [
    `${ORIGIN}/api/projects/WEB/issues`,
    {
      method: "POST",
      headers: { Authorization: "Bearer secret", "Content-Type": "application/json" },
      body: '{"title":"It\'s empty"}',
    },
  ]);
});

test("examples send files as a form, and the page itself cannot send them", () => {
  const upload = operation("createReport");
  assert.match(curlOf(DOCUMENT, upload, ORIGIN, exampleOf(upload)), /-F title=text \\\n {2}-F files=@file/);
  assert.match(javaScriptOf(DOCUMENT, upload, ORIGIN, exampleOf(upload)), /form\.append\("files", file\)/);
  assert.deepEqual([canSend(upload), canSend(operation("createIssue"))], [false, true]);
});

test("query parameters with a value are part of the address, and a path without a value keeps its name", () => {
  const list = operation("listIssues");
  assert.equal(
    addressOf(list, { values: { projectId: "A/B", query: "a b" }, body: "" }),
    "/api/projects/A%2FB/issues?query=a+b",
  );
  assert.equal(addressOf(list, { values: {}, body: "" }), "/api/projects/{projectId}/issues");
});

test("a type is described in words, and a reference to itself has the fields of what it refers to", () => {
  assert.equal(typeText({ anyOf: [{ type: "integer" }, { type: "null" }] }), "integer or null");
  assert.equal(typeText({ type: "array", items: { $ref: "#/x/Report" } }), "list of Report");
  assert.equal(typeText({ enum: ["open", "closed"] }), '"open" or "closed"');
  assert.equal(typeText({ type: ["string", "null"], format: "date" }), "string or null (date)");
  const names = fieldsOf(DOCUMENT, { $ref: "#/x/Report" }).map(([name]) => name);
  assert.deepEqual(names, ["id", "parent"]);
});

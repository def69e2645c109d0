import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { RouteOptions } from "fastify";
import { collectRoutes } from "../../../../test/support/routes.ts";
import { openTestApp, type TestApp } from "../../../../test/support/test-app.ts";
import { NAMED_SCHEMAS } from "./named-schemas.ts";

const ROOT = path.join(import.meta.dirname, "../../../..");

type OperationObject = {
  operationId?: string;
  summary?: string;
  description: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: { type?: string };
  }[];
  requestBody?: { required: boolean; content: Record<string, { schema: unknown; example?: unknown }> };
  responses: Record<
    string,
    { $ref?: string; content?: Record<string, { schema: unknown; example?: unknown }> }
  >;
};

type Document = {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, { properties?: object }>; responses: Record<string, unknown> };
};

let t: TestApp;
let routes: RouteOptions[];
let document: Document;
before(async () => {
  [t, routes] = await collectRoutes(() => openTestApp());
  const answer = await t.http.get("/api/openapi.json");
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
  document = answer.body;
});
after(() => t.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  );
const namesOf = (wrong: { name: string }[]) => wrong.map(({ name }) => name);

function operation(method: string, path: string): OperationObject {
  const found = document.paths[path]?.[method];
  assert.ok(found, `${method} ${path}`);
  return found;
}

test("the document contains exactly the API's routes, without the protocols of Sentry SDKs and MCP", () => {
  const declared = routes
    .filter(
      ({ url, config }) =>
        url.startsWith("/api/") && !/^\/api\/(0|embed|mcp)(\/|$)/.test(url) && config?.needs !== "ingest-key",
    )
    .flatMap((route) => [route.method].flat().map((method) => `${method} ${route.url}`))
    .filter((name) => !/^(HEAD|OPTIONS) /.test(name))
    .map((name) => name.replaceAll(/:(\w+)/g, "{$1}"));
  const described = operations().map(({ name }) => name.replace(/^\w+/, (method) => method.toUpperCase()));
  assert.ok(described.length > 100, "the routes were not collected");
  assert.deepEqual(described.sort(), [...new Set(declared)].sort());
});

test("every operation has a unique operationId, a summary, a documented tag and a success response", () => {
  const tags = new Set(document.tags.map(({ name }) => name));
  const wrong = operations().filter(
    ({ operationId, summary, tags: [tag = ""], responses }) =>
      !/^[a-z][A-Za-z]+$/.test(operationId ?? "") ||
      !summary ||
      !tags.has(tag) ||
      !Object.keys(responses).some((status) => /^[23]/.test(status)),
  );
  assert.deepEqual(namesOf(wrong), []);
  const verbs = operations().map(({ operationId }) => operationId);
  assert.deepEqual(
    verbs.filter((verb, index) => verbs.indexOf(verb) !== index),
    [],
  );
});

test("every JSON request and response body has an example", () => {
  const bodies = operations().flatMap(({ name, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].map((part) => ({
      name,
      json: part?.content?.["application/json"],
    })),
  );
  const wrong = bodies.filter(({ json }) => json && !("example" in json));
  assert.deepEqual(namesOf(wrong), []);
});

test("every example conforms to its schema", () => {
  const wrong = Object.entries(NAMED_SCHEMAS).flatMap(([name, { schema, example }]) => {
    if (example === undefined) return [];
    const { error } = schema.safeParse(example);
    return error ? [`${name}: ${error.message}`] : [];
  });
  assert.deepEqual(wrong, []);
});

test("an operation documents the permission, scope, feature, rate limit and credentials it requires", () => {
  const dismiss = operation("post", "/api/projects/{projectId}/reports/{reportId}/dismiss");
  assert.match(dismiss.description, /permission `reports:update`/);
  assert.match(
    dismiss.description,
    /write scope.*Does not accept project tokens.*Reports must be enabled.*dismissals/,
  );
  assert.deepEqual(dismiss.security, [{ token: [] }, { session: [] }]);
  assert.deepEqual(operation("post", "/api/projects/{projectId}/error-events").security, [{ token: [] }]);
  assert.deepEqual(operation("get", "/api/profile/sessions").security, [{ session: [] }]);
  assert.deepEqual(operation("get", "/api/health").security, []);
});

test("every filter of errors, their events and the inbox has a description", () => {
  const lists = ["/api/error-groups", "/api/projects/{projectId}/error-groups", "/api/notifications"];
  const events = "/api/projects/{projectId}/error-groups/{errorGroupId}/events";
  const wrong = [...lists, events].flatMap((path) =>
    (operation("get", path).parameters ?? [])
      .filter(({ in: place, name, description }) => place === "query" && name !== "limit" && !description)
      .map(({ name }) => `${name} of ${path}`),
  );
  assert.deepEqual(wrong, []);
});

test("an operation documents its parameters, its body and every response status", () => {
  const list = operation("get", "/api/projects/{projectId}/error-groups");
  const limit = list.parameters?.find(({ name }) => name === "limit");
  assert.deepEqual(limit, {
    name: "limit",
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 1, maximum: 500, default: 500 },
  });
  assert.equal(
    operation("get", "/api/search").parameters?.find(({ name }) => name === "query")?.required,
    true,
  );
  const create = operation("post", "/api/projects/{projectId}/reports");
  assert.deepEqual(Object.keys(create.requestBody?.content ?? {}), [
    "application/json",
    "multipart/form-data",
  ]);
  assert.deepEqual(Object.keys(create.responses), [
    "201",
    "400",
    "401",
    "403",
    "404",
    "408",
    "409",
    "413",
    "415",
    "422",
    "429",
    "500",
    "503",
  ]);
  assert.equal(create.responses["422"]?.$ref, "#/components/responses/Invalid");
  const hasKey = ({ parameters }: typeof create) =>
    parameters?.some(({ in: place, name }) => place === "header" && name === "Idempotency-Key") ?? false;
  const send = operation("post", "/api/projects/{projectId}/error-events");
  assert.deepEqual([create, send, list].map(hasKey), [true, false, false]);
  assert.equal(send.responses["202"]?.content, undefined);
  assert.deepEqual(send.requestBody?.content["application/json"]?.schema, {
    $ref: "#/components/schemas/ErrorEvent",
  });
});

test("the document describes itself as an object with its parts", () => {
  const { content } = operation("get", "/api/openapi.json").responses["200"] ?? {};
  assert.deepEqual(content?.["application/json"]?.schema, { $ref: "#/components/schemas/OpenApi" });
  const { properties = {} } = document.components.schemas["OpenApi"] ?? {};
  assert.deepEqual(Object.keys(properties), ["openapi", "info", "paths", "components"]);
});

test("resources are components with every specified field", () => {
  const fields = (name: string) => Object.keys(document.components.schemas[name]?.properties ?? {});
  assert.deepEqual(fields("Attachment"), ["id", "filename", "mime_type", "size", "user_id", "created_at"]);
  assert.ok(fields("ErrorGroup").length >= 33);
  assert.ok(fields("ErrorGroupListItem").length >= 22);
  for (const name of ["Report", "Comment", "Notification", "Issue"]) assert.ok(fields(name).length > 5, name);
});

test("the document passes redocly's recommended rules without errors or warnings", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-openapi-"));
  const file = path.join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  const cli = path.join(fileURLToPath(import.meta.resolve("@redocly/cli/package.json")), "../bin/cli.js");
  const config = path.join(ROOT, "redocly.yaml");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, "lint", file, "--config", config, "--format", "json"],
    // No telemetry, no update check.
    { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
  ).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
  await rm(folder, { recursive: true });
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as {
    totals: { errors: number; warnings: number };
    problems: { ruleId: string; message: string }[];
  };
  assert.deepEqual(problems, []);
  assert.deepEqual([totals.errors, totals.warnings], [0, 0]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { useTestApp } from "../support/test-app.ts";
import { createPrincipals } from "./create-principals.ts";
import { makeFixture } from "./fixture.ts";
import { ROWS } from "./route-requirements.ts";
import { cellsOf, type Cell } from "./send-requests.ts";

/** Set-up is over, no identity provider is configured, and the fixture knows no address of a Git connection. */
const UNAVAILABLE = new Set([
  "POST /api/setup",
  "POST /api/git/:token",
  "POST /api/profile/identities",
  "POST /api/profile/sign-in-again",
  "GET /api/oidc/start",
]);

type Operation = {
  name: string;
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, unknown> };
};

const t = await useTestApp();
const fixture = await makeFixture(t);
const cells = cellsOf(fixture, await createPrincipals(t, fixture));
const operations = await readOperations();

async function readOperations(): Promise<Operation[]> {
  const { paths } = (await t.http.get("/api/openapi.json")).body as {
    paths: Record<string, Record<string, Omit<Operation, "name">>>;
  };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      })),
    )
    .filter(({ name }) => !UNAVAILABLE.has(name));
}

/** A request to the route by someone who may send it. */
function permitted(route: string): Cell {
  const status = ROWS[route]?.status ?? 200;
  const isOwn = (cell: Cell) => cell.route === route && cell.target.name === "own";
  const found = cells.find((cell) => isOwn(cell) && cell.expected === status);
  assert.ok(found, route);
  return found;
}

test("every route with a JSON body returns 422 for JSON that is not an object", async () => {
  const routes = operations.filter(
    ({ requestBody }) => requestBody?.content["application/json"] !== undefined,
  );
  assert.ok(routes.length > 50, String(routes.length));
  const wrong: string[] = [];
  for (const { name } of routes) {
    const { who, target } = permitted(name);
    for (const payload of ["null", "[]", '"x"', "7", "true"]) {
      const { status, text, body } = await who.client.send({
        method: name.slice(0, name.indexOf(" ")),
        url: target.url,
        headers: { "content-type": "application/json" },
        payload,
      });
      if (status !== 422 || !body.errors?.body) wrong.push(`${name} ${payload}: ${status} ${text}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("every query parameter with brackets returns 422 instead of being ignored", async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { name, parameters = [] } of operations)
    for (const parameter of parameters.filter((each) => each.in === "query")) {
      count++;
      const { who, target } = permitted(name);
      const [method = ""] = name.split(" ");
      for (const brackets of ["[]", "[0]"]) {
        const url = `${target.url.split("?", 1)[0]}?${parameter.name}${brackets}=1`;
        const { status, text, body } = await who.client.send({ method, url });
        if (status !== 422 || !body.errors?.[parameter.name])
          wrong.push(`${method} ${url}: ${status} ${text}`);
      }
    }
  assert.ok(count > 50, String(count));
  assert.deepEqual(wrong, []);
});

test("every query parameter that is given twice returns 422 with a message in the product's words", async () => {
  const wrong: string[] = [];
  for (const { name, parameters = [] } of operations)
    for (const parameter of parameters.filter((each) => each.in === "query")) {
      const { who, target } = permitted(name);
      const [method = ""] = name.split(" ");
      const url = `${target.url.split("?", 1)[0]}?${parameter.name}=1&${parameter.name}=2`;
      const { status, text, body } = await who.client.send({ method, url });
      const [message] = body.errors?.[parameter.name] ?? [];
      if (status !== 422 || !message?.startsWith("must be "))
        wrong.push(`${method} ${url}: ${status} ${text}`);
    }
  assert.deepEqual(wrong, []);
});

test("every array in a JSON body has a limit, so that reporting its invalid elements takes little time", async () => {
  const { components } = (await t.http.get("/api/openapi.json")).body as {
    components: { schemas: Record<string, Schema> };
  };
  const unlimited: string[] = [];
  const visit = (schema: Schema, path: string) => {
    if (schema.$ref) return visit(components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, path);
    if (schema.type === "array" && schema.maxItems === undefined) unlimited.push(path);
    if (schema.items) visit(schema.items, `${path}[]`);
    for (const alternative of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      visit(alternative, path);
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      visit(property, `${path} ${name}`);
  };
  for (const { name, requestBody } of operations) {
    const json = requestBody?.content["application/json"] as { schema: Schema } | undefined;
    // An event loses what exceeds the limits of its additions.
    if (json && !name.endsWith("/error-events")) visit(json.schema, name);
  }
  assert.deepEqual(unlimited, []);
});

type Schema = {
  $ref?: string;
  type?: string;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

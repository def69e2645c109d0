import assert from "node:assert/strict";
import { test } from "node:test";
import { useTestApp } from "../support/test-app.ts";
import { createPrincipals } from "./create-principals.ts";
import { makeFixture } from "./fixture.ts";
import { ROWS } from "./route-requirements.ts";
import { cellsOf } from "./send-requests.ts";

/** Set-up is over, and no identity provider is configured. */
const UNAVAILABLE = new Set(["POST /api/setup", "POST /api/profile/identities"]);

type Operations = Record<string, { requestBody?: { content: Record<string, unknown> } }>;

test("every route with a JSON body returns 422 for JSON that is not an object", async () => {
  const t = await useTestApp();
  const fixture = await makeFixture(t);
  const cells = cellsOf(fixture, await createPrincipals(t, fixture));
  const { paths } = (await t.http.get("/api/openapi.json")).body as { paths: Record<string, Operations> };
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody?.content["application/json"] !== undefined)
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`)
      .filter((route) => !UNAVAILABLE.has(route)),
  );
  assert.ok(routes.length > 50, String(routes.length));
  const wrong: string[] = [];
  for (const route of routes) {
    const permitted = ROWS[route]?.status ?? 200;
    const cell = cells.find(
      (each) => each.route === route && each.target.name === "own" && each.expected === permitted,
    );
    assert.ok(cell, route);
    for (const payload of ["null", "[]", '"x"', "7", "true"]) {
      const { status, body } = await cell.who.client.send({
        method: route.slice(0, route.indexOf(" ")),
        url: cell.target.url,
        headers: { "content-type": "application/json" },
        payload,
      });
      if (status !== 422 || !body.errors?.body)
        wrong.push(`${route} ${payload}: ${status} ${JSON.stringify(body)}`);
    }
  }
  assert.deepEqual(wrong, []);
});

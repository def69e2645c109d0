import assert from "node:assert/strict";
import { test } from "node:test";
import { useTestApp } from "../support/test-app.ts";
import { createPrincipals } from "./create-principals.ts";
import { dump } from "./dump.ts";
import { makeFixture } from "./fixture.ts";
import { fieldsOf, placeIn, readBodies, typesOf, type Body, type Schema } from "./json-bodies.ts";
import { ROWS } from "./route-requirements.ts";
import { cellsOf } from "./send-requests.ts";

/** Every field of every JSON body, with values that it does not accept. */

/**
 * Set-up is over, and a failed sign-in is recorded. An event loses what is wrong with its additions. The challenge of a form is
 * checked before its fields. The errors of a registration are those of OAuth. The fields of the other three depend on each other.
 */
const LEFT_OUT = new Set([
  "POST /api/setup",
  "POST /api/session",
  "POST /api/projects/:projectId/error-events",
  "POST /api/forms/:formKey",
  "POST /api/oauth/register",
  "POST /api/invitations/:token",
  "POST /api/profile/views",
  "PATCH /api/projects/:projectId/alert-rules/:alertRuleId",
]);

const BY_TYPE: Record<string, string[]> = {
  boolean: ["true"],
  integer: ["9007199254740993", "1e308", "-1", "1.5"],
  string: ['"x\\u0000"', '"NaN"', '"0000-13-99"'],
  array: ["[]", "[[]]", `[${Array.from({ length: 10_001 }, (_, i) => i + 1).join()}]`],
  object: ["{}", '{"__proto__":{}}', `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
};

const t = await useTestApp();
const fixture = await makeFixture(t);
const cells = cellsOf(fixture, await createPrincipals(t, fixture));
const bodies = (await readBodies(t.http)).filter(({ route }) => !LEFT_OUT.has(route));

async function send({ route, example }: Body, field: string[], value: string) {
  const status = ROWS[route]?.status ?? 200;
  const cell = cells.find(
    (one) => one.route === route && one.target.name === "own" && one.expected === status,
  );
  assert.ok(cell, route);
  return cell.who.client.send({
    method: route.slice(0, route.indexOf(" ")),
    url: cell.target.url,
    headers: { "content-type": "application/json" },
    // As text, because JSON.stringify writes none of some values.
    payload: JSON.stringify(placeIn(example, field, MARK)).replace(`"${MARK}"`, () => value),
  });
}

const MARK = "the value under test";

const wrongFor = (schema: Schema) => {
  const accepted = typesOf(schema);
  return Object.entries(BY_TYPE).flatMap(([type, values]) => (accepted.has(type) ? [] : values));
};

test("a value of a wrong type in any field returns 422 that names the field, and changes nothing", async () => {
  const earlier = await dump(t.db);
  const wrong: string[] = [];
  let count = 0;
  for (const body of bodies)
    for (const [field, schema] of fieldsOf(body.schema))
      for (const value of wrongFor(schema)) {
        count++;
        const { status, text, body: answer } = await send(body, field, value);
        const named = Object.keys(answer?.errors ?? {});
        const isNamed = named.some(
          (one) => field.join(".").startsWith(one) || one.startsWith(field.join(".")),
        );
        if (status !== 422 || !isNamed)
          wrong.push(
            `${body.route} ${field.join(".")} ${value.slice(0, 40)}: ${status} ${text.slice(0, 200)}`,
          );
      }
  assert.ok(count > 1_000, String(count));
  assert.deepEqual(wrong, []);
  assert.deepEqual(await dump(t.db), earlier);
});

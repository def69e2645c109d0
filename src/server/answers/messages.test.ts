import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { bulkAssignBody, linkBody } from "../../shared/error-group-work.ts";
import { fieldErrors } from "./validation.ts";

const SHARED = path.join(import.meta.dirname, "../../shared");

/** A parameter of a query is a text, or several if it is given more than once. */
const WRONG_PARAMETERS = ["", "x", "-1", ["1", "2"]];
const WRONG = [5, 1.5, -1, "x", "", true, null, [], [5], ["x"], [{}], {}, { x: 1 }];

/** The schemas of request bodies and queries, by name. */
async function schemas(): Promise<[name: string, schema: z.ZodObject][]> {
  const files = readdirSync(SHARED).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const modules = await Promise.all(
    files.map(async (name) => (await import(path.join(SHARED, name))) as Record<string, unknown>),
  );
  return modules.flatMap((exported) =>
    Object.entries(exported).filter(
      (entry): entry is [string, z.ZodObject] =>
        /(?:Body|Changes|Query|Test)$/.test(entry[0]) && entry[1] instanceof z.ZodObject,
    ),
  );
}

/** Objects with a wrong value in one field, also in the fields of objects within. */
function wrongOnes(schema: z.ZodType, values: unknown[]): unknown[] {
  const inner = objectIn(schema);
  if (!inner) return values;
  return [
    ...values,
    ...Object.entries(inner.shape).flatMap(([name, field]) =>
      wrongOnes(field as z.ZodType, values).map((value) => ({ [name]: value })),
    ),
  ];
}

/** The object in an optional, nullable or transformed schema. */
function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  const { innerType, in: input } = schema.def as { innerType?: z.ZodType; in?: z.ZodType };
  const next = innerType ?? input;
  return next && objectIn(next);
}

test("every message about a wrong value is the API's own, not the validation library's", async () => {
  const found = (await schemas()).flatMap(([name, schema]) =>
    wrongOnes(schema, name.endsWith("Query") ? WRONG_PARAMETERS : WRONG).flatMap((value) => {
      const { error } = schema.safeParse(value);
      return Object.entries(error ? fieldErrors(error) : {}).flatMap(([field, messages]) =>
        messages
          .filter((text) => /^(?:Invalid|Expected|Too )/i.test(text))
          .map((text) => `${name}: ${field} ${text}`),
      );
    }),
  );
  assert.deepEqual([...new Set(found)], []);
});

test("a value that fits no alternative of a field gets the field's message, not that of one alternative", () => {
  const messageOf = (schema: z.ZodType, body: object) => {
    const { error } = schema.safeParse(body);
    return error && fieldErrors(error);
  };
  for (const issue of [1.5, true, null, {}, ["WEB-1"]])
    assert.deepEqual(messageOf(linkBody, { issue }), { issue: ["must be the id or key of an issue"] });
  assert.deepEqual(messageOf(linkBody, {}), { issue: ["is required"] });
  for (const assignee_id of [1.5, "x", {}])
    assert.deepEqual(messageOf(bulkAssignBody, { error_group_ids: [1], assignee_id }), {
      assignee_id: ["must be an id or null"],
    });
});

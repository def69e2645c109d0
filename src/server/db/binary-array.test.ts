import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { emptyDatabase } from "../../../test/support/postgres.ts";
import { bigintArray, bytesArray, textArray } from "./binary-array.ts";
import { connect, type Database } from "./connect.ts";

let empty: Awaited<ReturnType<typeof emptyDatabase>>;
let database: Database;
before(async () => {
  empty = await emptyDatabase();
  database = connect(empty.url, () => {});
});
after(async () => {
  await database.close();
  await empty.drop();
});

async function stored(type: string, values: Buffer): Promise<unknown[]> {
  const { rows } = await database.pool.query<{ value: unknown }>({
    name: `unnest ${type}`,
    text: `select value from unnest($1::${type}[]) with ordinality as t (value, n) where $2 = 2 order by n`,
    values: [values, 2],
  });
  return rows.map(({ value }) => value);
}

const TEXTS: Record<string, (string | null)[]> = {
  "no texts": [],
  "nothing but null": [null, null],
  ASCII: ["a", "", null, "b".repeat(100)],
  "large ASCII, which is sent without a copy": ["a".repeat(20_000), null, "b".repeat(100_000)],
  "two bytes for each unit": ["ü", "x", "ü".repeat(1_000)],
  "three bytes for each unit": ["€".repeat(30_000)],
  "a character of two units at the end": ["x", "aa𝒳"],
  "a character that nearly fits": ["aaa€"],
};

for (const [name, texts] of Object.entries(TEXTS))
  test(`an array of texts arrives as it is: ${name}`, async () => {
    assert.deepEqual(await stored("text", textArray(texts)), texts);
  });

test("arrays of numbers and of bytes arrive as they are", async () => {
  const numbers = [1, null, -5, Number.MAX_SAFE_INTEGER];
  assert.deepEqual(await stored("bigint", bigintArray(numbers)), numbers);
  const bytes = [Buffer.from("a"), Buffer.alloc(0), Buffer.alloc(40_000, 7)];
  assert.deepEqual(await stored("bytea", bytesArray(bytes)), bytes);
});

test("the statement after one with large parameters is answered", async () => {
  const client = await database.pool.connect();
  try {
    const large = client.query("select length($1::bytea) as n", [Buffer.alloc(50_000)]);
    const next = client.query("select $1::int as n", [3]);
    assert.deepEqual([(await large).rows[0], (await next).rows[0]], [{ n: 50_000 }, { n: 3 }]);
  } finally {
    client.release();
  }
});

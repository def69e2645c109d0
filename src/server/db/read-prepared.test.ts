import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { useTestApp } from "../../../test/support/test-app.ts";
import { connect } from "./connect.ts";
import { readPrepared } from "./read-prepared.ts";

const t = await useTestApp();
const { db, pool, close } = connect(t.database.url, () => {});
after(close);

const countTo = (most: number) => sql<{ n: number }>`select n from generate_series(1, ${most}::int) n`;

test("a connection keeps the statement under its name, and it reads other values each time", async () => {
  for (const most of [1, 2, 3]) {
    const rows = await readPrepared(db, "count-to", countTo(most).compile(db));
    assert.equal(rows.length, most);
  }
  const { rows } = await pool.query("select name from pg_prepared_statements");
  assert.deepEqual(rows, [{ name: "count-to" }]);
});

test("within a transaction it reads what the transaction sees", async () => {
  await db.transaction().execute(async (tx) => {
    await tx.executeQuery(sql`create temporary table seen (n int) on commit drop`.compile(tx));
    const rows = await readPrepared(tx, "seen", sql`select n from seen`.compile(tx));
    assert.deepEqual(rows, []);
  });
});

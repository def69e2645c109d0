import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { useTestApp } from "../../../test/support/test-app.ts";
import type { Db, Outside } from "../db/connect.ts";
import { RequestTransaction } from "./request-transaction.ts";
import { outsideOf } from "./transaction-db.ts";

const t = await useTestApp();
await sql`create table notes (note text primary key)`.execute(t.db);

let began: number;
let transaction: RequestTransaction;
let db: Db;
beforeEach(async () => {
  await sql`delete from notes`.execute(t.db);
  began = 0;
  const taker = { project: "", credential: "test", signal: new AbortController().signal };
  transaction = new RequestTransaction(t.db, taker, async () => void began++);
  db = transaction.db;
});
afterEach(() => transaction.rollback());

const add = (by: Db, note: string) => sql`insert into notes values (${note})`.execute(by);

async function notes(by: Db): Promise<string[]> {
  const { rows } = await sql<{ note: string }>`select note from notes order by note`.execute(by);
  return rows.map(({ note }) => note);
}

test("a plain select does not begin the transaction, and a change does", async () => {
  await db.selectFrom("users").select("id").execute();
  assert.equal(began, 0);
  await add(db, "a");
  assert.equal(began, 1);
});

test("a select that locks rows begins the transaction", async () => {
  await db.selectFrom("users").select("id").forUpdate().execute();
  assert.equal(began, 1);
});

test("a select of a query that changes something begins the transaction", async () => {
  await db
    .with("deleted", (qb) => qb.deleteFrom("users").returning("id"))
    .selectFrom("deleted")
    .select("id")
    .execute();
  assert.equal(began, 1);
});

test("changes are visible outside only after the commit", async () => {
  await add(db, "a");
  await db.transaction().execute((tx) => add(tx, "b"));
  assert.deepEqual([await notes(db), await notes(t.db)], [["a", "b"], []]);
  assert.equal(await transaction.commit(async (tx) => add(tx, "last")), true);
  assert.deepEqual(await notes(t.db), ["a", "b", "last"]);
});

test("a transaction that never began commits nothing", async () => {
  assert.equal(await transaction.commit(async (tx) => add(tx, "last")), false);
  assert.deepEqual(await notes(t.db), []);
});

test("an action's transaction that fails undoes only its own changes", async () => {
  await add(db, "a");
  const failed = db.transaction().execute(async (tx) => {
    await add(tx, "b");
    throw new Error("no");
  });
  await assert.rejects(failed, /no/);
  await db.transaction().execute((tx) => add(tx, "c"));
  assert.deepEqual(await notes(db), ["a", "c"]);
});

test("a single statement that fails does not abort the transaction", async () => {
  await add(db, "a");
  await assert.rejects(add(db, "a"), { code: "23505" });
  await transaction.commit(async () => {});
  assert.deepEqual(await notes(t.db), ["a"]);
});

test("concurrent statements are executed one after the other", async () => {
  await Promise.all(["a", "b", "c"].map((note) => add(db, note)));
  assert.deepEqual(await notes(db), ["a", "b", "c"]);
});

test("a statement after the end is rejected", async () => {
  await add(db, "a");
  await transaction.rollback();
  await assert.rejects(add(db, "b"), /has ended/);
  assert.deepEqual(await notes(t.db), []);
});

test("what must run outside gets the pool, and its type rejects the transaction", async () => {
  // @ts-expect-error A transaction is not outside of itself.
  const wrong: Outside = transaction.db;
  assert.equal(outsideOf(wrong), t.db);
  assert.equal(outsideOf(t.db), t.db);
});

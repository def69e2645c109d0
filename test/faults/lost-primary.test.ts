import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { waitUntil } from "../support/eventually.ts";
import { makePersonalToken, makeUser } from "../support/make.ts";
import { openTestApp } from "../support/test-app.ts";

async function openWithUser(scope: TestContext) {
  const t = await openTestApp();
  scope.after(() => t.close());
  const me = t.http.as(await makePersonalToken(t.db, (await makeUser(t.db)).id));
  return { ...t, me, rename: () => me.patch("/api/profile", { first_name: "Renamed" }) };
}

test("a database that has become read-only returns 503, is not ready and loses its connections, until it can be written", async (scope) => {
  const t = await openWithUser(scope);
  assert.equal((await t.rename()).status, 200);
  const open = await Promise.all(Array.from({ length: 3 }, () => t.database.pool.connect()));
  const ownClient = new pg.Client({ connectionString: t.database.url });
  // The database is dropped with its connections at the end.
  ownClient.on("error", () => {});
  await ownClient.connect();
  const name = pg.escapeIdentifier(String(ownClient.database));
  // A setting of the database applies to new sessions, so set it for the open connections as well.
  await ownClient.query(`alter database ${name} set default_transaction_read_only = on`);
  for (const client of open) {
    await client.query("set default_transaction_read_only = on");
    client.release();
  }
  const { status, headers } = await t.rename();
  assert.deepEqual([status, headers["retry-after"]], [503, "1"]);
  const ours =
    "select from pg_stat_activity where datname = current_database() and application_name = 'signalbox'";
  await waitUntil(async () => (await ownClient.query(ours)).rowCount === 0);
  assert.equal((await t.me.get("/api/profile")).status, 503);
  // The last check's connection was opened before.
  await waitUntil(async () => (await t.http.get("/api/ready")).status === 503);

  await ownClient.query("set transaction_read_only = off");
  await ownClient.query(
    `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
  );
  assert.equal((await t.rename()).status, 200);
  await waitUntil(async () => (await t.http.get("/api/ready")).status === 200);
});

test("a connection that is lost in a transaction returns 503 and changes nothing", async (scope) => {
  const t = await openWithUser(scope);
  const before = (await t.me.get("/api/profile")).body;
  await sql`create function lose_connection() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); return new; end $$`.execute(
    t.db,
  );
  await sql`create trigger lost before update on users for each row
    when (old.first_name is distinct from new.first_name) execute function lose_connection()`.execute(t.db);
  const { status, headers } = await t.rename();
  assert.deepEqual([status, headers["retry-after"]], [503, "1"]);
  assert.deepEqual((await t.me.get("/api/profile")).body, before);
});

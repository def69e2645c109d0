import assert from "node:assert/strict";
import { test } from "node:test";
import { makePersonalToken, makeUser } from "../../../test/support/make.ts";
import { openTestApp } from "../../../test/support/test-app.ts";
import { waitUntil } from "../../../test/support/eventually.ts";

test("a request returns 503 while every database connection is taken, and succeeds later", async () => {
  const t = await openTestApp();
  const token = await makePersonalToken(t.db, (await makeUser(t.db)).id);
  const taken = await Promise.all(Array.from({ length: 10 }, () => t.database.pool.connect()));
  t.database.pool.options.connectionTimeoutMillis = 100;
  try {
    const answer = await t.http.as(token).get("/api/profile");
    assert.deepEqual([answer.status, answer.headers["retry-after"]], [503, "1"]);
  } finally {
    for (const client of taken) client.release();
  }
  assert.equal((await t.http.as(token).get("/api/profile")).status, 200);
  await t.close();
});

test("a request returns 503 if the database ends its connection; later requests succeed", async () => {
  const t = await openTestApp();
  const token = await makePersonalToken(t.db, (await makeUser(t.db)).id);
  const holder = await t.database.ingest.connect();
  await holder.query("begin");
  await holder.query("lock table personal_tokens in access exclusive mode");
  const waiting = t.http.as(token).get("/api/profile");
  const ended = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await waitUntil(async () => (await holder.query(ended)).rowCount !== 0);
  assert.equal((await waiting).status, 503);
  await holder.query("rollback");
  holder.release();
  await waitUntil(async () => {
    const { status } = await t.http.as(token).get("/api/profile");
    assert.ok(status === 200 || status === 503, String(status));
    return status === 200;
  }, "requests are not served again");
  await t.close();
});

import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import pg from "pg";
import { eventually, waitUntil } from "../../../../test/support/eventually.ts";
import { openTestApp, type TestApp } from "../../../../test/support/test-app.ts";
import { WATCH_TIMES } from "../../db/silence-watch.ts";
import { isNearlyFull, makeReadiness, whyNotReady, type Checks } from "./readiness.ts";

const GOOD: Checks = { database: "ok", migrations: "ok", disk: "ok", draining: false };

test("a server that can work is ready and lists its checks", async () => {
  const t = await openTestApp();
  const answer = await t.http.get("/api/ready");
  assert.deepEqual([answer.status, answer.body], [200, { status: "ready", checks: GOOD }]);
  await t.close();
});

test("a server that is stopping is alive but not ready", async () => {
  const state = { draining: false };
  const t = await openTestApp({}, { isDraining: () => state.draining });
  assert.equal((await t.http.get("/api/ready")).status, 200);
  state.draining = true;
  const answer = await t.http.get("/api/ready");
  assert.deepEqual(
    [answer.status, answer.body],
    [503, { message: "The server is shutting down.", checks: { ...GOOD, draining: true } }],
  );
  assert.equal((await t.http.get("/api/health")).status, 200);
  await t.close();
});

test("a server is not ready until its database is migrated to its version", async () => {
  const t = await openTestApp();
  const { version } = await t.db
    .deleteFrom("schema_migrations")
    .where("version", "=", (query) =>
      query.selectFrom("schema_migrations").select((eb) => eb.fn.max("version").as("newest")),
    )
    .returning(["version"])
    .executeTakeFirstOrThrow();
  const behind = await t.http.get("/api/ready");
  assert.deepEqual([behind.status, behind.body.checks], [503, { ...GOOD, migrations: "failed" }]);
  assert.match(behind.body.message, /schema of another version/);
  await t.db.insertInto("schema_migrations").values({ version, name: "again" }).execute();
  await untilReady(t);
  await t.close();
});

/** Results are cached for a second. */
const untilReady = ({ http }: TestApp) =>
  eventually(async () => (await http.get("/api/ready")).status, 200, "the server does not become ready");

test("a server whose migrations cannot be read at first is ready once they can be, and names the cause until then", async () => {
  const t = await openTestApp();
  const migrations = path.join(t.dataDir, "migrations");
  const errors: unknown[] = [];
  const readiness = makeReadiness({
    url: t.database.url,
    answerMs: 20_000,
    dataDir: t.dataDir,
    isDraining: () => false,
    onError: (error) => errors.push(error),
    migrations,
  });
  const checks = await readiness.check();
  assert.deepEqual(checks, { ...GOOD, migrations: "unknown" });
  assert.equal(whyNotReady(checks), "The server cannot read its own migrations.");
  assert.equal(errors.length, 1);
  await symlink(path.resolve(import.meta.dirname, "../../db/migrations"), migrations);
  await eventually(readiness.check, GOOD);
  await readiness.close();
  await t.close();
});

test("a server is not ready while its database is unreachable", async () => {
  const t = await openTestApp();
  const url = new URL(t.database.url);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  const elsewhere = new pg.Client({ connectionString: url.href });
  await elsewhere.connect();
  await elsewhere.query(`alter database ${name} allow_connections false`);
  await elsewhere.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  const answer = await t.http.get("/api/ready");
  await elsewhere.query(`alter database ${name} allow_connections true`);
  await elsewhere.end();
  assert.deepEqual(
    [answer.status, answer.body],
    [
      503,
      {
        message: "The database does not answer, or is read-only.",
        checks: { ...GOOD, database: "failed", migrations: "unknown" },
      },
    ],
  );
  await untilReady(t);
  await t.close();
});

test("a server whose connections are all in use is ready", async () => {
  const t = await openTestApp();
  const taken = await Promise.all(Array.from({ length: 10 }, () => t.database.pool.connect()));
  assert.equal((await t.http.get("/api/ready")).status, 200);
  for (const client of taken) client.release();
  await t.close();
});

test("concurrent requests share one check of the database", async () => {
  // The check waits for a lock, however long that takes.
  const t = await openTestApp({}, { watchTimes: { ...WATCH_TIMES, answerMs: 20_000 } });
  const holder = await t.database.pool.connect();
  await holder.query("begin; lock table schema_migrations in access exclusive mode");
  const answers = Promise.all(Array.from({ length: 200 }, () => t.http.get("/api/ready")));
  const waiting = `select application_name as name from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await waitUntil(async () => (await t.database.pool.query(waiting)).rowCount !== 0);
  // If there were a second check, its connection would wait for the lock as well.
  assert.equal((await t.http.as("sbx_pat_unknown").get("/api/profile")).status, 401);
  assert.deepEqual((await t.database.pool.query(waiting)).rows, [{ name: "signalbox ready" }]);
  await holder.query("rollback");
  holder.release();
  assert.deepEqual(new Set((await answers).map(({ status }) => status)), new Set([200]));
  await t.close();
});

const MIB = 1_048_576;
for (const [what, bavail, blocks, full] of [
  ["a small disk with 200 MB", 200, 1_000, false],
  ["a small disk with a little less", 199, 1_000, true],
  ["a large disk with 2 %", 2_000, 100_000, false],
  ["a large disk with a little less", 1_999, 100_000, true],
] as const)
  test(`${what} free is ${full ? "nearly full" : "not nearly full"}`, () => {
    assert.equal(isNearlyFull({ bsize: MIB, bavail, blocks }), full);
  });

test("a server whose disk is nearly full is not ready; one whose disk cannot be measured is", () => {
  assert.equal(whyNotReady({ ...GOOD, disk: "failed" }), "The disk is nearly full.");
  assert.equal(whyNotReady({ ...GOOD, disk: "unknown" }), undefined);
});

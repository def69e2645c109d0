import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestApp } from "../../../test/support/test-app.ts";
import { isNearlyFull, whyNotReady, type Checks } from "./readiness.ts";

const GOOD: Checks = { database: "ok", migrations: "ok", disk: "ok", draining: false };

test("a server that can work is ready and tells each check", async () => {
  const t = await openTestApp();
  const answer = await t.http.get("/api/ready");
  assert.deepEqual([answer.status, answer.body], [200, { status: "ready", checks: GOOD }]);
  await t.close();
});

test("a server that is stopping is not ready, while it is alive", async () => {
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

test("a server whose database is of another version is not ready until it is migrated", async () => {
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
  assert.equal((await t.http.get("/api/ready")).status, 200);
  await t.close();
});

test("a server without its database is not ready, and ready again with it", async () => {
  const t = await openTestApp();
  const taken = await Promise.all(Array.from({ length: 10 }, () => t.database.pool.connect()));
  const answer = await t.http.get("/api/ready");
  for (const client of taken) client.release();
  assert.deepEqual(
    [answer.status, answer.body],
    [
      503,
      {
        message: "The database does not answer.",
        checks: { ...GOOD, database: "failed", migrations: "unknown" },
      },
    ],
  );
  assert.equal((await t.http.get("/api/ready")).status, 200);
  await t.close();
});

const MIB = 1_048_576;
for (const [what, bavail, blocks, full] of [
  ["a small disk with 200 MB", 200, 1_000, false],
  ["a small disk with a little less", 199, 1_000, true],
  ["a large disk with 2 %", 2_000, 100_000, false],
  ["a large disk with a little less", 1_999, 100_000, true],
] as const)
  test(`${what} left is ${full ? "nearly full" : "not nearly full"}`, () => {
    assert.equal(isNearlyFull({ bsize: MIB, bavail, blocks }), full);
  });

test("a disk that is nearly full keeps a server from being ready; one that cannot be measured does not", () => {
  assert.equal(whyNotReady({ ...GOOD, disk: "failed" }), "The disk is nearly full.");
  assert.equal(whyNotReady({ ...GOOD, disk: "unknown" }), undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { cloneDatabase } from "../../../test/support/postgres.ts";
import { makeHome, run } from "../../../test/support/program.ts";
import { openAppOn } from "../../../test/support/test-app.ts";
import { EMAIL } from "./people.ts";

test("the command prints a password that the administrator can sign in with, and fails the second time", async () => {
  const database = await cloneDatabase();
  const home = await makeHome();
  try {
    const settings = { DATABASE_URL: database.url, LOG_LEVEL: "warn" };
    const made = await run(home, ["demo"], settings);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^\S{20,}\n$/);
    const app = await openAppOn(database.url);
    try {
      const password = made.stdout.trim();
      assert.equal((await app.http.post("/api/session", { email: EMAIL, password })).status, 200);
      assert.equal((await app.http.post("/api/setup", {})).status, 403);
      const { rows } = await sql<{ n: number[] }>`
        select array[(select count(*) from error_groups), (select count(*) from issues), (select count(*) from reports)]
          as n`.execute(app.db);
      assert.deepEqual(rows[0]?.n, [500, 300, 120]);
    } finally {
      await app.close();
    }
    const again = await run(home, ["demo"], settings);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^This installation already has users\. [^\n]+\n$/);
  } finally {
    await home.remove();
    await database.drop();
  }
});

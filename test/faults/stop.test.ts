import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import pg from "pg";
import { waitUntil } from "../support/eventually.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { makeHome, startServer } from "../support/program.ts";

const WITH_LIMITS = path.join(import.meta.dirname, "../support/serve-with-limits.ts");

test("a statement of a background job that does not end cannot prevent a stop", async () => {
  const clone = await cloneDatabase();
  const client = new pg.Client({ connectionString: clone.url });
  await client.connect();
  await client.query(`
    create function sleep() returns trigger language plpgsql as 'begin perform pg_sleep(50); return new; end';
    create trigger slow before insert or update on background_jobs for each row execute function sleep()`);
  const home = await makeHome();
  const server = await startServer(home, { DATABASE_URL: clone.url, CLOSE_MS: "200" }, WITH_LIMITS);
  const sleeping =
    "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
  await waitUntil(async () => (await client.query(sleeping)).rowCount !== 0);
  server.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 1, signal: null });
  assert.match(server.stdout(), /Stopping takes too long: exiting now/);
  await client.end();
  await home.remove();
  await clone.drop();
});

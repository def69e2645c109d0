import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import type { Deletion } from "../../src/shared/deletions.ts";
import { waitUntil } from "../support/eventually.ts";
import { install, SETUP_TOKEN, type Installed } from "../support/over-http.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { makeHome, startServer, type Home, type Server } from "../support/program.ts";

const ISSUES = 3_000;

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let client: pg.Client;
let home: Home;
let server: Server;
let installed: Installed;

before(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  home = await makeHome();
  server = await startServer(home, { SETUP_TOKEN, DATABASE_URL: database.url });
  installed = await install(server.url);
});
after(async () => {
  await home.remove();
  await client.end();
  await database.drop();
});

const progress = async (): Promise<Deletion> => {
  const { data } = (await installed.get(`${server.url}/api/deletions`)) as { data: [Deletion] };
  return data[0];
};

/** On a connection of its own, because the other one has a transaction open. */
async function endRestorePeriods() {
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query("update deletions set restorable_until = null");
  await other.end();
}

test("the deletion of a project continues after the server is killed halfway", async () => {
  const { projectId } = installed;
  await client.query(
    `insert into issues (project_id, number, title, type, priority, lane_id, rank)
    select $1, n, 'Issue', 0, 2, (select min(id) from lanes where project_id = $1), n from generate_series(1, ${ISSUES}) n`,
    [projectId],
  );
  // A lock on an issue in the middle stops the job there.
  await client.query("begin");
  await client.query("select from issues where project_id = $1 and number = 2000 for update", [projectId]);
  const answer = await installed.delete(`${server.url}/api/projects/${projectId}`);
  assert.equal(answer.status, 202);
  await endRestorePeriods();
  await waitUntil(async () => (await progress()).rows_deleted >= 1_000);
  server.kill("SIGKILL");
  await server.ended;
  await client.query("rollback");
  const left = "select count(*)::int as count from issues where project_id = $1";
  const { rows } = await client.query(left, [projectId]);
  assert.ok(rows[0].count > 0 && rows[0].count < ISSUES, `${rows[0].count} issues are left`);

  server = await startServer(home, { DATABASE_URL: database.url });
  await waitUntil(async () => (await progress()).finished_at !== null);
  const { rows_total, rows_deleted } = await progress();
  assert.deepEqual([rows_total, rows_deleted], [ISSUES, ISSUES]);
  assert.equal((await client.query(left, [projectId])).rows[0].count, 0);
  assert.equal((await client.query("select from projects where id = $1", [projectId])).rowCount, 0);
});

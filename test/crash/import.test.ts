import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import type { Import } from "../../src/shared/imports.ts";
import { connect } from "../../src/server/db/connect.ts";
import { waitUntil } from "../support/eventually.ts";
import { makePersonalToken, makeProject, makeWorkspace } from "../support/make.ts";
import { cloneDatabase } from "../support/postgres.ts";
import { makeHome, startServer } from "../support/program.ts";

const ROWS = 4_000;

const database = await cloneDatabase();
const { db, close } = connect(database.url, () => {});
const home = await makeHome();
after(async () => {
  await home.remove();
  await close();
  await database.drop();
});

test("an import whose server is killed is shown as running and continued by the next one: nothing is there twice or missing", async () => {
  const workspace = await makeWorkspace(db);
  const { id: projectId } = await makeProject(db, workspace.id);
  const authorization = `Bearer ${await makePersonalToken(db, workspace.admin.id)}`;
  const settings = { DATABASE_URL: database.url };
  let server = await startServer(home, settings);
  const send = async (path: string, init: RequestInit = {}): Promise<Import> => {
    const url = `${server.url}/api/projects/${projectId}/imports${path}`;
    const answer = await fetch(url, { ...init, headers: { authorization } });
    assert.ok(answer.ok, `${answer.status} ${url}`);
    return (await answer.json()) as Import;
  };
  const countIssues = async () => {
    const { rows } = await sql<{ count: number; titles: number }>`
      select count(*)::int, count(distinct title)::int as titles from issues where project_id = ${projectId}`.execute(
      db,
    );
    return rows[0];
  };

  const form = new FormData();
  form.append("kind", "csv");
  const lines = Array.from({ length: ROWS }, (_, n) => `${n},Task ${n}\n`);
  form.append("file", new File([`id,title\n${lines.join("")}`], "tasks.csv"));
  const { id } = await send("", { method: "POST", body: form });
  const read = () => send(`/${id}`);
  await waitUntil(async () => (await read()).state === "checked");
  assert.equal((await read()).counts?.issues, ROWS);
  await send(`/${id}/start`, { method: "POST" });
  await waitUntil(async () => (await countIssues())?.count !== 0);
  server.kill("SIGKILL");
  await server.ended;

  server = await startServer(home, settings);
  const { state } = await read();
  assert.ok(state === "importing" || state === "done", state);
  // As if the lease of the killed process, which lasts for a minute, had ended.
  await sql`update imports set leased_until = clock_timestamp() where state = 'importing'`.execute(db);
  await waitUntil(async () => (await read()).state === "done");
  assert.deepEqual(await countIssues(), { count: ROWS, titles: ROWS });
  const { counts } = await read();
  assert.equal((counts?.issues ?? 0) + (counts?.already_there ?? 0), ROWS);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../../test/support/board.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { issueFilters } from "../../../shared/issues.ts";
import { listIssues } from "./list-issues.ts";

const t = await useTestApp();
const board = await openBoard(t, await makeWorkspace(t.db));
const { id, lane_id } = await board.make({ title: "Whimbrel and dotterel" });
await sql`
  insert into issues (project_id, number, title, type, priority, lane_id, rank, description)
  select ${board.id}, 100 + n, 'Whimbrel ' || n || case when n <= 2000 then ' godwit' else '' end, 0, 2, ${lane_id}, 'x' || lpad(n::text, 6, '0'), repeat('-', 1500)
  from generate_series(1, 5000) n`.execute(t.db);
// Also merges the index's list of new entries, which PostgreSQL would otherwise avoid to read.
await sql`vacuum analyze issues`.execute(t.db);

/** The ids of the listed issues, and how many rows of issues were read to find them. */
const list = (query: string) =>
  t.db.transaction().execute(async (tx) => {
    const { data } = await listIssues(tx, board.id, board.adminId, {
      ...issueFilters.parse({ query }),
      limit: 10,
    });
    const { rows } = await sql<{ read: number }>`
      select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'issues'`.execute(
      tx,
    );
    return { ids: data.map((issue) => issue.id), read: rows[0]?.read ?? 0 };
  });

test("a list by a rare and a common word reads only the issues with the rare one", async () => {
  const { ids, read } = await list("WHIMBREL dott");
  assert.deepEqual(ids, [id]);
  assert.ok(read < 100, `${read} rows were read`);
});

test("a list by a key reads only the issue with the key", async () => {
  const { ids, read } = await list(`${board.key}-1`);
  assert.deepEqual(ids, [id]);
  assert.ok(read < 100, `${read} rows were read`);
});

test("the first page of a list by a common word reads only the newest issues", async () => {
  const { ids, read } = await list("whimbrel");
  assert.deepEqual(ids, await newest("true", 10));
  assert.ok(read < 200, `${read} rows were read`);
});

test("a list by a common word that no new issue has finds the older ones", async () => {
  const { ids } = await list("godwit whimbrel");
  assert.deepEqual(ids, await newest("title like '%godwit'", 10));
});

test("a list by a key whose parts are common words has the issue with the key", async () => {
  await sql`update projects set key = 'GODWIT' where id = ${board.id}`.execute(t.db);
  await sql`
    update issues set title = 'Whimbrel godwit 5095' where project_id = ${board.id} and number > 2100 and number <> 5095`.execute(
    t.db,
  );
  await sql`vacuum analyze issues`.execute(t.db);
  const { ids } = await list("godwit-5095");
  assert.deepEqual(ids, await newest("number > 5000", 10));
});

async function newest(condition: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from issues where project_id = ${board.id} and ${sql.raw(condition)} order by created_at desc, id desc limit ${limit}`.execute(
    t.db,
  );
  return rows.map((row) => row.id);
}

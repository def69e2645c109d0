import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openBoard } from "../../../../test/support/board.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { rowsRead } from "../../../../test/support/rows-read.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const { admin } = await openBoard(t, await makeWorkspace(t.db));

/**
 * 120 projects with 32,000 issues, of which every tenth is about a whimbrel, of those of the older half every fifth about a
 * godwit, and all others about a plover. One of the oldest is about both of these. `updated_at` is in another order than `created_at`.
 */
await sql`
  with made as (
    insert into projects (workspace_id, key, name)
    select workspace_id, 'BIRD' || n, n from projects cross join generate_series(1, 120) n returning id, name::int as n
  ), lane as (
    insert into lanes (project_id, name, kind, position) select id, 'To do', 'todo', 0 from made returning id, project_id
  )
  insert into issues (project_id, number, title, type, priority, lane_id, rank, created_at, updated_at)
  select made.id, 1 + i / 120, case when i % 10 = 0 then 'Whimbrel' else 'Owl' end
    || case when i < 16000 and i % 5 = 0 then ' godwit' else ' plover' end || case when i = 200 then ' plover' else '' end,
    0, i % 5, lane.id, lpad(i::text, 6, '0'), at, at + (i * 7919 % 32000) * interval '1 minute'
  from generate_series(0, 31999) i join made on made.n = 1 + i % 120 join lane on lane.project_id = made.id
  cross join lateral (select now() - interval '90 days' + i * interval '1 minute' as at) x
  order by i`.execute(t.db);
// Also merges the index's list of new entries, which PostgreSQL would otherwise avoid to read.
await sql`vacuum analyze issues, projects`.execute(t.db);

type Ids = { data: { id: number }[] };
const ids = ({ body }: { body: unknown }) => (body as Ids).data.map(({ id }) => id);
const list = async (query: string, sort: string) =>
  ids(await admin.get(`/api/issues?query=${query}&sort=${sort}&limit=150`));
const expected = async (pattern: string, order: string) => {
  const { rows } = await sql<{ id: number }>`
    select id from issues where title ilike ${pattern} order by ${sql.raw(order)} limit 150`.execute(t.db);
  return rows.map(({ id }) => id);
};

test("the first page by a word in few issues of many projects reads only recent ones with the word", async () => {
  for (const column of ["created_at", "updated_at"]) {
    const before = await rowsRead(t.database, "issues");
    const found = await list("whimb", `-${column}`);
    const read = (await rowsRead(t.database, "issues")) - before;
    assert.deepEqual(found, await expected("%whimbrel%", `${column} desc, id desc`));
    assert.ok(read < 2_000, `${read} rows were read`);
  }
});

test("a list by a word that no recent issue of many projects has finds the older ones", async () => {
  assert.deepEqual(
    await list("godwit", "-created_at"),
    await expected("%godwit%", "created_at desc, id desc"),
  );
});

test("issues of many projects with two words that hardly occur together are found in every order", async () => {
  for (const [sort, order] of [
    ["-created_at", "created_at desc, id desc"],
    ["created_at", "created_at, id"],
    ["-priority", "priority desc, id desc"],
  ] as const) {
    assert.deepEqual(await list("godwit%20plover", sort), await expected("%godwit%plover%", order), sort);
    assert.deepEqual(await list("whimbrel%20plover", sort), await expected("%whimbrel%plover%", order), sort);
  }
});

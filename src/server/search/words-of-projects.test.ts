import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../test/support/make.ts";
import { rowsRead } from "../../../test/support/rows-read.ts";
import { found, openSearched } from "../../../test/support/search.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { readTerms } from "./terms.ts";

const t = await useTestApp();
const own = await openSearched(t, await makeWorkspace(t.db));
const other = await openSearched(t, await makeWorkspace(t.db));

/** Words that PostgreSQL splits, quotes or escapes, and one that is as long as it allows. */
const TITLES = [
  "It's a well-known re-entry",
  "C:\\temp\\new and 'quoted' <-> words & more | or !not",
  "mail@example.com https://example.com/a/b?c=d /usr/lib 1.5e-3 -12",
  "Ünïcödé İstanbul straße 東京 emoji 🚂",
  "12:import 1:2:3 import",
];
const LONG = "x".repeat(2_046);
const ids: number[] = [];
for (const title of TITLES) ids.push((await own.make({ title })).id);
ids.push((await own.make({ title: "Long", description: LONG })).id);
await other.make({ title: TITLES.join(" ").slice(0, 255) });

const PARTS = [
  "re-ent",
  "well",
  "it's",
  "exam",
  "tem",
  "ist",
  "stra",
  "東",
  "12:imp",
  "1:2",
  "'",
  "\\",
  "<2>",
  "xxx",
];
const QUERIES = [...TITLES, ...TITLES.flatMap((title) => title.split(" ")), ...PARTS];

test("the index of each project finds what the words of its issues match, for every kind of word", async () => {
  for (const query of QUERIES) {
    const { tsquery } = readTerms(query);
    if (tsquery === "") continue;
    const { rows } = await sql<{ indexed: number[]; matching: number[] }>`
      select array(select id from issues_of_projects_with_words(array[${own.id}]::bigint[], query) as found (id) order by 1) as indexed,
        array(select id from issues where project_id = ${own.id} and words @@ query order by 1) as matching
      from (select to_tsquery('simple', ${tsquery}) as query) q`.execute(t.db);
    assert.deepEqual(rows[0]?.indexed, rows[0]?.matching, query);
  }
});

test("an issue with the longest possible word is found by the start of that word", async () => {
  assert.deepEqual(await found(own.admin, LONG.slice(0, 200)), [["issue", ids.at(-1)]]);
});

test("a search in a few projects does not read the issues of others that have the words", async () => {
  const { lane_id } = await other.make({ title: "Sandpiper" });
  await sql`insert into issues (project_id, number, title, type, priority, lane_id, rank)
    select ${other.id}, 100 + n, 'Sandpiper and ' || case when n % 2 = 0 then 'avocet' else 'turnstone' end, 0, 2, ${lane_id},
      'x' || lpad(n::text, 6, '0') from generate_series(1, 3000) n`.execute(t.db);
  await sql`vacuum analyze issues`.execute(t.db);
  const { id } = await own.make({ title: "Avocet and turnstone" });
  const before = await rowsRead(t.database, "issues");
  assert.deepEqual(await found(own.admin, "avocet turnstone"), [["issue", id]]);
  const { body } = await own.admin.get(`/api/projects/${own.id}/issues?query=avocet%20turnstone`);
  assert.deepEqual(
    body.data.map((issue: { id: number }) => issue.id),
    [id],
  );
  const read = (await rowsRead(t.database, "issues")) - before;
  assert.ok(read < 50, `${read} rows were read`);
});

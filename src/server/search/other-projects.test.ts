import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../test/support/make.ts";
import { openSearched } from "../../../test/support/search.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { findCandidates } from "./find-candidates.ts";
import { readTerms } from "./terms.ts";

const t = await useTestApp();
const large = await openSearched(t, await makeWorkspace(t.db));
const small = await openSearched(t, await makeWorkspace(t.db));
const issue = (await large.make({ title: "Busy" })).id;
await sql`insert into comments (project_id, issue_id, user_id, content)
  select ${large.id}, ${issue}, ${large.adminId}, 'about dunnocks ' || n from generate_series(1, 20000) n`.execute(
  t.db,
);
await sql`insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
    daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at)
  select ${large.id}, 'production', sha256(n::text::bytea), 'DunnockException', '', 1, array_fill(0, array[90]),
    now(), seen, seen, seen from generate_series(1, 20000) n, lateral (select now() - n * interval '1 minute' as seen)`.execute(
  t.db,
);
await sql`analyze`.execute(t.db);

test("searching a small project stays cheap if another workspace is full of the word", async () => {
  const ids = [small.id];
  const readable = { issue: ids, epic: ids, report: ids, error_group: ids, release: ids, project: ids };
  const read = await t.db.transaction().execute(async (tx) => {
    await findCandidates(tx, readTerms("dunnock"), { readable, kinds: ["comment", "error_group"] });
    const { rows } = await sql<{ read: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
      where relname in ('comments', 'error_groups', 'error_group_classes')`.execute(tx);
    return rows[0]?.read ?? 0;
  });
  assert.ok(read < 100, `${read} rows were read`);
});

/** A project with more issues and classes than are searched first, among many times as many of other projects. */
async function openMiddle() {
  const middle = await openSearched(t, await makeWorkspace(t.db));
  const { lane_id } = await middle.make({ title: "First" });
  const old = (await middle.make({ title: "Dunlin and curlew" })).id;
  const insertIssues = (project: { id: number }, lane: number, title: string, count: number) =>
    sql`insert into issues (project_id, number, title, type, priority, lane_id, rank)
      select ${project.id}, 100 + n, ${title}, 0, 2, ${lane}, 'x' || lpad(n::text, 6, '0')
      from generate_series(1, ${count}::int) n`.execute(t.db);
  await insertIssues(middle, lane_id, "Dunlin", 1_200);
  await sql`update projects set last_issue_number = 1300 where id = ${middle.id}`.execute(t.db);
  const lane = (await large.make({ title: "Busy" })).lane_id;
  await insertIssues(large, lane, "Dunlin and curlew", 14_000);
  const group = await middle.group("GodwitException");
  await sql`insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
      daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at)
    select ${middle.id}, 'production', sha256(('middle ' || n)::bytea), 'KnotException', '', 1, array_fill(0, array[90]),
      seen, seen, seen, seen from generate_series(1, 1200) n, lateral (select now() + n * interval '1 minute' as seen)`.execute(
    t.db,
  );
  await sql`analyze`.execute(t.db);
  const find = async (query: string, kind: string): Promise<number[]> => {
    const { body } = await middle.admin.get(`/api/search?query=${query}&kind=${kind}`);
    return body.data.map(({ id }: { id: number }) => id);
  };
  return { old, group, find };
}

test("an old issue or error is found even if its words are common in other projects", async () => {
  const { old, group, find } = await openMiddle();
  assert.deepEqual(await find("dunlin+curlew", "issue"), [old]);
  assert.deepEqual(await find("dunlin+godwit", "issue"), []);
  assert.deepEqual(await find("godwit", "error_group"), [group]);
  assert.equal((await find("exception", "error_group")).length, 20);
});

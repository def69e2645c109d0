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
    await findCandidates(tx, readTerms("dunnock"), readable, ["comment", "error_group"]);
    const { rows } = await sql<{ read: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
      where relname in ('comments', 'error_groups', 'error_group_classes')`.execute(tx);
    return rows[0]?.read ?? 0;
  });
  assert.ok(read < 100, `${read} rows were read`);
});

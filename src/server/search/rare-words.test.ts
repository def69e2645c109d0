import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../test/support/make.ts";
import { found, openSearched } from "../../../test/support/search.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { findCandidates, knownWords } from "./find-candidates.ts";
import { rareWords } from "./rare-words.ts";
import { readTerms } from "./terms.ts";

const t = await useTestApp();
const board = await openSearched(t, await makeWorkspace(t.db));
const { id, lane_id } = await board.make({ title: "Whimbrel and dotterel" });
await sql`
  with made as (
    insert into issues (project_id, number, title, type, priority, lane_id, rank, description)
    select ${board.id}, 100 + n, 'Whimbrel ' || n, 0, 2, ${lane_id}, 'x' || lpad(n::text, 6, '0'), repeat('-', 1500)
    from generate_series(1, 3500) n returning id
  )
  insert into comments (project_id, issue_id, user_id, content)
  select ${board.id}, id, ${board.adminId}, 'whimbrels' from made`.execute(t.db);
// Also merges the index's list of new entries, which PostgreSQL would otherwise avoid to read.
await sql`vacuum analyze issues, comments`.execute(t.db);

test("the rarest word is known for each table in which few rows have it", async () => {
  const rare = (query: string) => rareWords(t.db, readTerms(query).lexemes);
  const issues = await rare("whimbrel dotterel");
  assert.deepEqual([issues.issues, issues.comments], ["'dotterel':*", "'dotterel':*"]);
  const common = await rare("whimb");
  assert.deepEqual([common.issues, common.comments], [undefined, undefined]);
  // As the whole word, which no comment has.
  assert.deepEqual((await rare("wh whimbrels")).comments, "'wh'");
});

test("only the rows with the rarest word are read", async () => {
  const ids = [board.id];
  const readable = { issue: ids, epic: ids, report: ids, error_group: ids, release: ids, project: ids };
  const terms = readTerms("whimbrel dotterel");
  const known = await knownWords(t.db, terms);
  const read = await t.db.transaction().execute(async (tx) => {
    await findCandidates(tx, terms, {
      readable,
      kinds: ["issue", "comment"],
      filters: {},
      knownWords: known,
    });
    const { rows } = await sql<{ read: number }>`
      select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
      where relname in ('issues', 'comments')`.execute(tx);
    return rows[0]?.read;
  });
  // Once to find it, and once more for the hit.
  assert.equal(read, 2);
});

test("a rare and a common word must both match", async () => {
  assert.deepEqual(await found(board.admin, "whimbrel dotterel"), [["issue", id]]);
  assert.deepEqual(await found(board.admin, "knot dotterel"), []);
});

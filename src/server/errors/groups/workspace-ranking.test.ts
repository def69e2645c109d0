import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { rowsRead } from "../../../../test/support/rows-read.ts";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { mergeInto, sendAs } from "../../../../test/support/merge.ts";
import { openProject } from "../../../../test/support/project.ts";
import { insertScored, type Scored } from "../../../../test/support/scored-groups.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import { rankGroups } from "./rank-groups.ts";

const t = await useTestApp();

let seed = 13;
const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;

function anyGroup(): Scored {
  const isOfDay = below(4) > 0;
  return {
    events: isOfDay ? below(60) : 0,
    users: isOfDay ? below(4) : 0,
    earlier: below(3),
    // Earlier than what a list reads besides the ranking.
    hours: isOfDay ? 0.2 : 25,
    fresh: below(400) === 0,
    status: below(3) === 0 ? 1 : 0,
  };
}

/** A workspace with so many projects that have `each` groups of any impact. */
async function openWorkspace(projects: number, each: number) {
  const workspace = await makeWorkspace(t.db);
  const project = await openProject(t, workspace);
  for (let n = 0; n < projects; n++) {
    const { id } = n === 0 ? project : await makeProject(t.db, workspace.id);
    if (each > 0) await insertScored(t.db, id, Array.from({ length: each }, anyGroup));
  }
  await sql`analyze error_groups, error_group_counts, error_group_users`.execute(t.db);
  const ids = async (query: string) =>
    ((await project.admin.get(`/api/error-groups?sort=impact${query}`)).body as ErrorGroupList).data.map(
      ({ id }) => id,
    );
  const lists = () => Promise.all(["&limit=50", "&limit=500", "&limit=400&status=1"].map(ids));
  const read = async () => {
    const before = await rowsRead(t.database, "error_groups");
    await ids("&limit=50");
    return (await rowsRead(t.database, "error_groups")) - before;
  };
  const ranked = async () => {
    const { rows } = await sql<{ at: string }>`
      select ranked_at as at from workspace_error_group_rankings where workspace_id = ${workspace.id}`.execute(
      t.db,
    );
    return rows[0]?.at;
  };
  const unrank = () =>
    sql`delete from workspace_error_group_rankings where workspace_id = ${workspace.id}`.execute(t.db);
  return { workspace, project, lists, read, ranked, unrank };
}

const { workspace, project, lists, read, ranked, unrank } = await openWorkspace(100, 80);

test("lists by impact of 100 projects are the same with a ranking of all of them as without, and read less", async () => {
  await unrank();
  const [without, readWithout] = [await lists(), await read()];
  await rankGroups(t.db);
  assert.ok(await ranked());
  const readWith = await read();
  assert.ok(readWith < readWithout / 2, `${readWith} instead of ${readWithout} rows`);
  assert.deepEqual(await lists(), without);
});

test("events, merges and splits after a workspace was ranked change its list by impact", async () => {
  const [target, source] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const { rows: low } = await sql<{ id: number }>`
    select id from error_groups where project_id = ${project.id} and daily_counts[1] < 10 order by id limit 1`.execute(
    t.db,
  );
  const seen = low[0]?.id ?? 0;
  await sql`
    update error_groups set first_seen_at = now() - interval '40 days', last_seen_at = now() - interval '1 hour',
      daily_counts[1] = 90 + id % 2 where id = any(${[target.id, source.id]}::bigint[])`.execute(t.db);
  await sql`delete from error_group_users where group_id = ${target.id}`.execute(t.db);
  await unrank();
  await rankGroups(t.db);
  await sql`
    update error_groups set daily_counts[1] = 900, last_seen_at = now(), last_seen_span = date_bin('10 minutes', now(), 'epoch')
    where id = ${seen}`.execute(t.db);
  await mergeInto(project, target.id, [source.id]);
  const since = await lists();
  assert.ok(since[1]?.includes(seen) && since[1]?.includes(target.id));
  await unrank();
  assert.deepEqual(await lists(), since);
  await rankGroups(t.db);
  const { rows: merged } = await sql<{ fingerprint: string }>`
    select encode(key, 'hex') as fingerprint from error_group_aliases where group_id = ${target.id}`.execute(
    t.db,
  );
  const split = { fingerprints: merged.map(({ fingerprint }) => fingerprint) };
  assert.equal((await project.admin.post(`${project.groups}/${target.id}/unmerge`, split)).status, 200);
  assert.equal(await ranked(), undefined, "no fingerprint tells of the merge any more");
  assert.deepEqual(await lists(), since);
});

test("a workspace is ranked again after half an hour, or when 1,000 groups were seen since", async () => {
  await unrank();
  const rank = async () => {
    await rankGroups(t.db);
    return ranked();
  };
  const see = (count: number) =>
    sql`update error_groups set last_seen_at = now(), last_seen_span = date_bin('10 minutes', now(), 'epoch') where id in (
      select id from error_groups where project_id in (select id from projects where workspace_id = ${workspace.id}) order by id limit ${count})`.execute(
      t.db,
    );
  const first = await rank();
  assert.ok(first);
  await see(900);
  assert.equal(await rank(), first);
  await see(1_000);
  const second = await rank();
  assert.ok(second && second > first);
  await sql`update workspace_error_group_rankings set ranked_at = ranked_at - interval '31 minutes'`.execute(
    t.db,
  );
  const third = await rank();
  assert.ok(third && third > second);
});

test("if only one of two workspaces has a ranking, a reader of both gets the groups of both", async () => {
  const other = await openWorkspace(1, 60);
  await sql`insert into workspace_members (workspace_id, user_id, is_admin)
    values (${other.workspace.id}, ${workspace.admin.id}, true)`.execute(t.db);
  await unrank();
  const without = await lists();
  await rankGroups(t.db);
  assert.deepEqual([await ranked(), await other.ranked()].map(Boolean), [true, false]);
  assert.deepEqual(await lists(), without);
  await sql`delete from workspace_members where workspace_id = ${other.workspace.id} and user_id = ${workspace.admin.id}`.execute(
    t.db,
  );
});

test("a workspace with fewer than 100 projects has no ranking of its own", async () => {
  const small = await openWorkspace(2, 700);
  await rankGroups(t.db);
  assert.equal(await small.ranked(), undefined);
});

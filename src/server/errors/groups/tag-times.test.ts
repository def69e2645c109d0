import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { lockGroup, sendAs } from "../../../../test/support/merge.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { indexTags } from "./tag-index.ts";
import { indexTagTimes } from "./tag-times.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** A group with three tags that was seen since the last run, which was longer ago than a run looks back. */
async function openOutdated() {
  const group = await sendAs(await openProject(t, workspace), "A", { tags: { a: "1", b: "2", c: "3" } });
  await indexTags(t.db);
  await sql`update error_group_tags set seen_before = now() - interval '40 days' where group_id = ${group.id}`.execute(
    t.db,
  );
  await sql`update error_group_tag_times_progress set indexed_until = now() - interval '10 minutes'`.execute(
    t.db,
  );
  await sql`
    update error_groups set last_seen_at = at, last_seen_span = date_bin('10 minutes', at, 'epoch')
    from (select now() - interval '5 minutes' as at) seen where id = ${group.id}`.execute(t.db);
  return group;
}

/** The version of each of the group's rows, and whether its time is as exact as it should be. */
async function readRows({ id }: { id: number }) {
  const { rows } = await sql<{ version: string; exact: boolean }>`
    select t.xmin::text as version, t.seen_before > g.last_seen_at and t.seen_before <= g.last_seen_at + interval '6 hours' as exact
    from error_group_tags t join error_groups g on g.id = t.group_id where g.id = ${id}`.execute(t.db);
  return rows;
}

const exactOf = async (group: { id: number }) => (await readRows(group)).map(({ exact }) => exact);

test("the times of a group's tags are raised once for all events of six hours", async () => {
  const group = await openOutdated();
  await indexTagTimes(t.db);
  assert.deepEqual(await exactOf(group), [true, true, true]);
  const before = await readRows(group);
  await sql`update error_groups set last_seen_at = last_seen_at + interval '1 microsecond' where id = ${group.id}`.execute(
    t.db,
  );
  await indexTagTimes(t.db);
  assert.deepEqual(await readRows(group), before);
});

test("all times are raised, however many tags a group has", async () => {
  const group = await openOutdated();
  await sql`
    insert into error_group_tags (project_id, tag_hash, group_id, seen_before)
    select project_id, n, id, '2026-01-01' from error_groups, generate_series(1, 12000) n where id = ${group.id}`.execute(
    t.db,
  );
  await indexTagTimes(t.db);
  assert.deepEqual(new Set(await exactOf(group)), new Set([true]));
});

test("a time that is too late is not changed", async () => {
  const group = await openOutdated();
  await sql`update error_group_tags set seen_before = '2100-01-01' where group_id = ${group.id}`.execute(
    t.db,
  );
  const before = await readRows(group);
  await indexTagTimes(t.db);
  assert.deepEqual(await readRows(group), before);
});

for (const [what, lock] of [
  ["group that is being merged or deleted", lockGroup],
  [
    "tag that is being removed",
    ({ id }: { id: number }) => `delete from error_group_tags where group_id = ${id} and tag_hash = (
    select min(tag_hash) from error_group_tags where group_id = ${id})`,
  ],
] as const)
  test(`the time of a ${what} is raised by a later run, without waiting`, async () => {
    const group = await openOutdated();
    await collide(t.database, lock(group), async () => {
      await indexTagTimes(t.db);
      return [];
    });
    await indexTagTimes(t.db);
    assert.deepEqual(new Set(await exactOf(group)), new Set([true]));
  });

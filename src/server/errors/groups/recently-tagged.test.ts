import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../../../../test/support/client.ts";
import {
  makeMember,
  makePersonalToken,
  makeWorkspaceMember,
  makeWorkspace,
} from "../../../../test/support/make.ts";
import { mergeInto, sendAs } from "../../../../test/support/merge.ts";
import { openProject } from "../../../../test/support/project.ts";
import { rowsRead } from "../../../../test/support/rows-read.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import { indexTags } from "./tag-index.ts";
import { indexTagTimes } from "./tag-times.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const project = await openProject(t, workspace);

/**
 * 20 further projects with 100 groups each, seen one after the other between two hours and 50 days ago. Two of three groups have
 * the tag, and the events of every seventh were dropped since the job looked.
 */
await sql`
  with made as (
    insert into projects (workspace_id, key, name) select ${workspace.id}, 'RT' || n, n from generate_series(1, 20) n
    returning id, name::int as n
  )
  insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
    daily_counts, status, first_seen_at, last_seen_at, last_seen_span, updated_at)
  select id, 'production', sha256(('recently tagged ' || id || ' ' || g)::bytea), g, '', 1, array_fill(0, array[90]), g % 2,
    at, at, date_bin('10 minutes', at, 'epoch'), at
  from made, generate_series(1, 100) g,
    lateral (select now() - interval '2 hours' - (g * 20 + n) * interval '36 minutes' as at) seen`.execute(
  t.db,
);
const groups = sql`error_groups g join projects p on p.id = g.project_id and p.workspace_id = ${workspace.id}`;
await sql`
  insert into error_group_details (group_id, stack_trace, previous_exceptions, event, received_at, tags)
  select g.id, '', '[]', nextval('error_events_id_seq'), g.last_seen_at, case when g.id % 3 > 0 then '{"shop": "7"}'::jsonb end
  from ${groups}`.execute(t.db);
// The job looks at recent groups only, except when it runs for the first time.
await sql`delete from error_group_tags_progress`.execute(t.db);
await indexTags(t.db);
await sql`update error_group_details set tags = null where group_id % 7 = 0`.execute(t.db);

/** As if the groups had been indexed when they were last seen. */
const setExactTimes = () =>
  sql`update error_group_tags t set seen_before = date_bin('6 hours', g.last_seen_at, 'epoch') + interval '6 hours'
    from error_groups g where g.id = t.group_id`.execute(t.db);

beforeEach(setExactTimes);

const list = async (caller: Client, query: string) =>
  (await caller.get(`/api/error-groups?tag=shop:7&${query}`)).body as ErrorGroupList;
const idsIn = (page: ErrorGroupList) => page.data.map(({ id }) => id);
const first = async (count: number) => idsIn(await list(project.admin, `limit=${count}`));

/** All ids of the list, page by page. */
async function readAll(caller: Client, query: string): Promise<number[]> {
  const found: number[] = [];
  for (let cursor = ""; ;) {
    const page = await list(caller, query + cursor);
    found.push(...idsIn(page));
    if (page.meta.next_cursor === null) return found;
    cursor = `&cursor=${page.meta.next_cursor}`;
  }
}

/** The groups with the tag, in the list's order. */
async function tagged(condition = sql`true`): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select g.id from ${groups} join error_group_details d on d.group_id = g.id
    where d.tags @> '{"shop": "7"}' and ${condition} order by g.last_seen_at desc, g.id desc`.execute(t.db);
  return rows.map(({ id }) => id);
}

/** A member who may read the projects with these numbers. */
async function reader(projects: number): Promise<Client> {
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const { rows } = await sql<{ id: number }>`
    select id from projects where key like 'RT%' and name::int <= ${projects}`.execute(t.db);
  for (const { id } of rows) await makeMember(t.db, id, { user });
  return t.http.as(await makePersonalToken(t.db, user.id));
}

test("pages by a tag have the groups with the tag in order", async () => {
  const all = await tagged();
  assert.ok(all.length > 1000);
  for (const limit of [40, 500]) assert.deepEqual(await readAll(project.admin, `limit=${limit}`), all);
  assert.deepEqual(await readAll(project.admin, "limit=90&status=0"), await tagged(sql`g.status = 0`));
  assert.deepEqual(await readAll(project.admin, "limit=90&status=1"), await tagged(sql`g.status = 1`));
});

test("pages by a tag are the same if times are too late", async () => {
  await sql`update error_group_tags set seen_before = default where group_id % 4 = 0`.execute(t.db);
  const all = await tagged();
  assert.deepEqual(await readAll(project.admin, "limit=40"), all);
  await sql`update error_group_tags set seen_before = default`.execute(t.db);
  assert.deepEqual(await readAll(project.admin, "limit=40"), all);
});

test("people get the groups of their projects, whether these are most of all projects or few", async () => {
  for (const projects of [15, 2]) {
    const found = await readAll(await reader(projects), "limit=40");
    assert.deepEqual(found, await tagged(sql`p.key like 'RT%' and p.name::int <= ${projects}`));
  }
  assert.deepEqual(await readAll(await reader(2), `limit=40&project_id=${project.id}`), []);
});

test("a list by a tag reads few of the groups that have it", async () => {
  await sql`vacuum analyze error_groups, error_group_details, error_group_tags`.execute(t.db);
  const before = await rowsRead(t.database, "error_groups");
  assert.equal((await first(10)).length, 10);
  const read = (await rowsRead(t.database, "error_groups")) - before;
  assert.ok(read < 100, `read ${read} groups`);
});

/** As if the groups had been seen at this time before now. */
const setSeen = (ids: number[], before: string) =>
  sql`update error_groups set last_seen_at = at, last_seen_span = date_bin('10 minutes', at, 'epoch')
    from (select now() - ${before}::interval as at) seen where id = any(${ids}::bigint[])`.execute(t.db);

test("groups come first that were seen since the jobs ran, or at any time before", async () => {
  const old = (await tagged()).at(-1) ?? 0;
  await setSeen([old], "0 seconds");
  const { id: added } = await sendAs(project, "A", { tags: { shop: "7" } });
  assert.deepEqual(await first(2), [added, old]);
  await indexTags(t.db);
  await indexTagTimes(t.db);
  await setSeen([old], "1 hour");
  await setSeen([added], "59 minutes");
  assert.deepEqual(await first(2), [added, old]);
});

test("a group comes first that was seen while the version before indexed tags", async () => {
  const old = (await tagged()).at(-1) ?? 0;
  await sql`update error_group_tag_times_progress set indexed_until = now() - interval '1 hour'`.execute(
    t.db,
  );
  await sql`update error_group_tags_progress set indexed_until = now()`.execute(t.db);
  await setSeen([old], "50 minutes");
  assert.deepEqual(await first(1), [old]);
  await indexTagTimes(t.db);
  await sql`update error_group_tag_times_progress set indexed_until = now()`.execute(t.db);
  assert.deepEqual(await first(1), [old]);
});

test("a merged group is as recent as the latest of its groups", async () => {
  const target = await sendAs(project, "B", { tags: { shop: "7" } });
  const source = await sendAs(project, "C", { tags: { shop: "7" } });
  await indexTags(t.db);
  await setSeen([target.id], "40 days");
  await setSeen([source.id], "40 minutes");
  await setExactTimes();
  assert.deepEqual(await first(1), [source.id]);
  await mergeInto(project, target.id, [source.id]);
  assert.deepEqual(await first(1), [target.id]);
});

test("a list is exact before the jobs have run for the first time", async () => {
  const all = await tagged();
  for (const progress of ["error_group_tag_times_progress", "error_group_tags_progress"]) {
    await sql`delete from ${sql.table(progress)}`.execute(t.db);
    assert.deepEqual(await first(40), all.slice(0, 40));
  }
});

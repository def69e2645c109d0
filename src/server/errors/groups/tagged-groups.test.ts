import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { mergeInto, sendAs } from "../../../../test/support/merge.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import { indexTags, pruneTags } from "./tag-index.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function open() {
  const project = await openProject(t, workspace);
  const tagged = async (tag: string) => {
    const { body } = await project.admin.get(`${project.groups}?tag=${tag}`);
    return (body as ErrorGroupList).data.map(({ exception_class }) => exception_class).toSorted();
  };
  return { project, tagged };
}

/** As if the groups were last seen two hours ago, so that the list has to rely on the index. */
async function index({ id }: TestProject): Promise<void> {
  await indexTags(t.db);
  await sql`
    update error_groups set last_seen_at = last_seen_at - interval '2 hours',
      last_seen_span = last_seen_span - interval '2 hours' where project_id = ${id}`.execute(t.db);
}

async function tagsOf(group: { id: number }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from error_group_tags where group_id = ${group.id}`.execute(t.db);
  return rows[0]?.count ?? 0;
}

test("a list by tag has the groups with a kept event that has the tag, before and after tags are indexed", async () => {
  const { project, tagged } = await open();
  await sendAs(project, "A", { tags: { plan: "pro", shop: "7" } });
  await sendAs(project, "B", { tags: { plan: "free" } });
  assert.deepEqual(await tagged("plan:pro"), ["A"]);
  await index(project);
  assert.deepEqual(await tagged("plan:pro"), ["A"]);
  await sendAs(project, "B", { tags: { plan: "pro" } });
  assert.deepEqual(await tagged("plan:pro"), ["A", "B"]);
  await index(project);
  assert.deepEqual(await tagged("plan:pro"), ["A", "B"]);
  assert.deepEqual(await tagged("plan:free"), ["B"]);
  assert.deepEqual(await tagged("shop:pro"), []);
});

test("keys and values of tags may contain colons", async () => {
  const { project, tagged } = await open();
  await sendAs(project, "A", { tags: { "device:class": "low", url: "http://localhost:3000/" } });
  await sendAs(project, "B", { tags: { device: "class:low" } });
  const lists = async () => [
    await tagged("device:class:low"),
    await tagged("url:http://localhost:3000/"),
    await tagged("device:class:high"),
    await tagged("device:class"),
  ];
  const expected = [["A", "B"], ["A"], [], []];
  assert.deepEqual(await lists(), expected);
  await index(project);
  assert.deepEqual(await lists(), expected);
});

test("a tag whose events were dropped no longer lists the group, and its row is removed later", async () => {
  const { project, tagged } = await open();
  const group = await sendAs(project, "A", { tags: { plan: "free" } });
  await sendAs(project, "A", { tags: { plan: "pro" } });
  await index(project);
  await sql`delete from error_events where group_id = ${group.id}`.execute(t.db);
  assert.deepEqual([await tagged("plan:free"), await tagged("plan:pro")], [[], ["A"]]);
  assert.equal(await tagsOf(group), 2);
  await pruneTags(t.db, [group.id]);
  assert.equal(await tagsOf(group), 1);
  assert.deepEqual(await tagged("plan:pro"), ["A"]);
});

test("a group has the tags of the groups that were merged into it, even those of events that were not indexed yet", async () => {
  const { project, tagged } = await open();
  const a = await sendAs(project, "A", { tags: { plan: "free" } });
  const b = await sendAs(project, "B", { tags: { plan: "pro" } });
  await index(project);
  const c = await sendAs(project, "C", { tags: { plan: "team" } });
  await mergeInto(project, a.id, [b.id, c.id]);
  await index(project);
  for (const plan of ["free", "pro", "team"]) assert.deepEqual(await tagged(`plan:${plan}`), ["A"], plan);
  assert.deepEqual([await tagsOf(a), await tagsOf(b)], [3, 0]);
});

test("a group that is being merged or deleted is indexed by a later run, without waiting for it", async () => {
  const { project, tagged } = await open();
  const a = await sendAs(project, "A", { tags: { plan: "pro" } });
  await sendAs(project, "B", { tags: { plan: "pro" } });
  await collide(t.database, `select from error_groups where id = ${a.id} for update`, async () => {
    await indexTags(t.db);
    return [];
  });
  assert.equal(await tagsOf(a), 0);
  await index(project);
  assert.deepEqual(await tagged("plan:pro"), ["A", "B"]);
});

test("a list by a rare or a common tag reads few groups and few of their events", async () => {
  const { project } = await open();
  // Lists read whole spans of ten minutes, which have 60 of these groups.
  await sql`insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
      daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at)
    select ${project.id}, 'production', sha256(('tagged ' || ${project.id} || n)::bytea), n, '', 1, array_fill(0, array[90]), at, at,
      date_bin('10 minutes', at, 'epoch'), at
    from generate_series(1, 6000) n, lateral (select now() - interval '2 hours' - n * interval '10 seconds' as at) seen`.execute(
    t.db,
  );
  await sql`insert into error_group_details (group_id, stack_trace, previous_exceptions, event, received_at, tags)
    select id, '', '[]', nextval('error_events_id_seq'), last_seen_at,
      jsonb_build_object('shop', case when exception_class = '5000' then 'rare' else 'common' end)
    from error_groups where project_id = ${project.id}`.execute(t.db);
  // The job looks at recent groups only, except when it runs for the first time.
  await sql`delete from error_group_tags_progress`.execute(t.db);
  const rare = async () =>
    (await project.admin.get(`${project.groups}?tag=shop:rare`)).body as ErrorGroupList;
  assert.deepEqual(
    (await rare()).data.map(({ exception_class }) => exception_class),
    ["5000"],
  );
  await indexTags(t.db);
  await sql`analyze error_groups, error_group_details, error_group_tags, error_events`.execute(t.db);
  for (const [tag, first, count] of [
    ["rare", "5000", 1],
    ["common", "1", 20],
  ] as const) {
    const before = await reads();
    const { body } = await project.admin.get(`${project.groups}?tag=shop:${tag}&limit=20`);
    const read = (await reads()) - before;
    assert.ok(read < 500, `${tag} read ${read} rows`);
    const { data } = body as ErrorGroupList;
    assert.deepEqual([data[0]?.exception_class, data.length], [first, count]);
  }
});

/** Rows that statements have read so far. Each connection keeps its own count until it reports it. */
async function reads(): Promise<number> {
  const { pool } = t.database;
  const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  await Promise.all(all.map((client) => client.query("select pg_stat_force_next_flush()")));
  for (const client of all) client.release();
  const { rows } = await pool.query<{ read: string }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_user_tables
    where relname in ('error_groups', 'error_group_details') or relname like 'error_events%'`,
  );
  return Number(rows[0]?.read);
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { rowsRead } from "../../../../test/support/rows-read.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import { indexTags } from "./tag-index.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const { admin } = await openProject(t, workspace);

/**
 * 40 further projects with 200 groups each. Project 40 has the newest, and every third group has no tag. The events with the tag of every
 * seventh group have been dropped since the job looked. Many groups have the same number of events.
 */
await sql`
  with made as (
    insert into projects (workspace_id, key, name) select ${workspace.id}, 'TAG' || n, n from generate_series(1, 40) n
    returning id, name::int as n
  )
  insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
    daily_counts, status, first_seen_at, last_seen_at, last_seen_span, updated_at)
  select id, 'production', sha256(('tagged page ' || id || ' ' || g)::bytea), g, '', g % 9 + 1, array_fill(0, array[90]), g % 2,
    at - g % 50 * interval '1 day', at, date_bin('10 minutes', at, 'epoch'), at
  from made, generate_series(1, 200) g,
    lateral (select now() - interval '2 hours' - (g * (41 - n)) * interval '1 minute' as at) seen`.execute(
  t.db,
);
const groups = sql`error_groups g join projects p on p.id = g.project_id and p.key like 'TAG%'`;
await sql`
  insert into error_group_details (group_id, stack_trace, previous_exceptions, event, received_at, tags)
  select g.id, '', '[]', nextval('error_events_id_seq'), g.last_seen_at, case when g.id % 3 > 0 then '{"shop": "7"}'::jsonb end
  from ${groups}`.execute(t.db);
// The job looks at recent groups only, except when it runs for the first time.
await sql`delete from error_group_tags_progress`.execute(t.db);
await indexTags(t.db);
await sql`update error_group_details set tags = null where group_id % 7 = 0`.execute(t.db);
await sql`analyze`.execute(t.db);

const ORDERS = { last_seen: "last_seen_at", first_seen: "first_seen_at", events: "occurrence_count" };

test("pages by a common tag across projects have the groups with the tag in order, whatever the order and filter", async () => {
  for (const [sort, column] of Object.entries(ORDERS))
    for (const direction of ["desc", "asc"])
      for (const [filter, status] of [
        ["", [0, 1]],
        ["&status=0", [0]],
        ["&status=1", [1]],
      ] as const) {
        const order = sql.raw(direction);
        const { rows } = await sql<{ id: number }>`
          select g.id from ${groups} where g.id % 3 > 0 and g.id % 7 > 0 and g.status = any(${status}::smallint[])
          order by ${sql.ref(`g.${column}`)} ${order}, g.id ${order} limit 120`.execute(t.db);
        const found: number[] = [];
        for (let cursor = ""; found.length < 120;) {
          const { body } = await admin.get(
            `/api/error-groups?tag=shop:7&limit=40&sort=${sort}&direction=${direction}${filter}${cursor}`,
          );
          const { data, meta } = body as ErrorGroupList;
          assert.equal(data.length, 40);
          found.push(...data.map(({ id }) => id));
          cursor = `&cursor=${meta.next_cursor}`;
        }
        assert.deepEqual(
          found,
          rows.map(({ id }) => id),
          `${sort} ${direction} ${filter}`,
        );
      }
});

test("a list by a common tag across projects reads few groups of each project", async () => {
  await sql`vacuum analyze error_groups, error_group_details, error_group_tags`.execute(t.db);
  const before = await rowsRead(t.database, "error_groups");
  const { body } = await admin.get("/api/error-groups?tag=shop:7&limit=10");
  const read = (await rowsRead(t.database, "error_groups")) - before;
  assert.equal((body as ErrorGroupList).data.length, 10);
  assert.ok(read < 1000, `read ${read} groups`);
});

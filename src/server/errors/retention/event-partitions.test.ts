import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { createPartitions, dropExpiredPartitions } from "./event-partitions.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Sends events, and then moves the times of the kept ones into the past. */
async function keepEvents(days: number[]) {
  const project = await openProject(t, workspace);
  for (const _ of [...days, 0]) await project.send();
  const { id } = await project.only();
  const rows = await t.db.selectFrom("error_events").select("id").where("group_id", "=", id).execute();
  for (const [n, ago] of days.entries())
    await sql`update error_events set received_at = now() - make_interval(days => ${ago})
      where group_id = ${id} and id = ${rows[n]?.id}`.execute(t.db);
  const kept = async () => (await project.admin.get(`${project.groups}/${id}/events`)).body.data.length;
  return { id, kept };
}

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'error_events'::regclass
    order by 1`.execute(t.db);
  return rows.map(({ name }) => name);
}

const monthsFromNow = (count: number) => {
  const today = new Date();
  const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + count));
  return `error_events_${month.toISOString().slice(0, 7).replace("-", "_")}`;
};

test("partitions are created for this month and the next two, and take the rows of the default", async () => {
  const { kept } = await keepEvents([0, 0, 0]);
  assert.equal(await kept(), 4);
  for (const _ of [1, 2]) await createPartitions(t.database.pool);
  assert.deepEqual(await partitions(), [...[0, 1, 2].map(monthsFromNow), "error_events_default"].sort());
  const { rows } = await sql<{ count: number }>`select count(*) from error_events_default`.execute(t.db);
  assert.deepEqual([rows[0]?.count, await kept()], [0, 4]);
});

test("deleting a group deletes its events in every partition", async () => {
  await createPartitions(t.database.pool);
  const { id } = await keepEvents([0, 40, 200]);
  await t.db.deleteFrom("error_groups").where("id", "=", id).execute();
  const rows = await t.db.selectFrom("error_events").select("id").where("group_id", "=", id).execute();
  assert.deepEqual(rows, []);
});

test("events older than the retention window are not shown, and their partition is dropped with its last one", async () => {
  const old = monthsFromNow(-5);
  const [from, to] = [-5, -4].map((count) => monthsFromNow(count).slice(13).replace("_", "-"));
  await sql`create table ${sql.ref(old)} partition of error_events
    for values from (${sql.lit(`${from}-01`)}) to (${sql.lit(`${to}-01`)})`.execute(t.db);
  const { id, kept } = await keepEvents([10, 20]);
  await sql`update error_events set received_at = ${`${from}-15`}::timestamptz
    where group_id = ${id} and received_at < now() - interval '15 days'`.execute(t.db);
  assert.equal(await kept(), 2);
  await dropExpiredPartitions(t.database.pool, 300);
  assert.ok((await partitions()).includes(old));
  await dropExpiredPartitions(t.database.pool, 90);
  assert.ok(!(await partitions()).includes(old));
  assert.equal(await kept(), 2);
});

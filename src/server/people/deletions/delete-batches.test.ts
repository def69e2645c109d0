import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { waitUntil } from "../../../../test/support/eventually.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { fillProject, onlyDeletion, rowsOf } from "../../../../test/support/deletions.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { openPool } from "../../db/connect.ts";
import { removeDeletedFiles } from "../../files/storage/remove-deleted-files.ts";
import { queueErrorDigests } from "../../inform/notify/error-digest.ts";
import { notifyOfErrors } from "../../integrations/alert-rules/notify-of-errors.ts";
import { renumberLongQueues } from "../../reports/queue.ts";
import { renumberLongLanes } from "../../work/issues/renumber-lanes.ts";
import { deleteNextBatch } from "./delete-batches.ts";
import { deleteHiddenRows, endRestorePeriods } from "../../../../test/support/delete-hidden-rows.ts";

const t = await useTestApp();

const runJob = () => deleteHiddenRows(t);

/** Its connections end after a batch has deleted rows, before the transaction commits. */
const killed = openPool({ ...t.database, onError: () => {}, name: "killed", max: 1, settings: {} });
after(() => killed.end());
await sql`create function kill() returns trigger language plpgsql as
  'begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); return new; end'`.execute(
  t.db,
);
await sql`create trigger kill before update on deletions for each row
  when (current_setting('application_name') = 'killed') execute function kill()`.execute(t.db);

test("the job deletes all rows and files of the project, and nothing of others", async () => {
  const workspace = await makeWorkspace(t.db);
  const other = await fillProject(t, workspace);
  const { board } = await fillProject(t, workspace);
  const before = await rowsOf(t.db, other.board.id);
  const { storage_key } = await t.db
    .selectFrom("attachments")
    .select("storage_key")
    .where("project_id", "=", board.id)
    .executeTakeFirstOrThrow();
  const lastChange = await sql<{ id: number }>`select max(id) as id from changes`.execute(t.db);
  assert.equal((await board.admin.delete(board.url)).status, 202);
  await runJob();
  await removeDeletedFiles(t.db, t.storage, new AbortController().signal);
  assert.deepEqual(await rowsOf(t.db, board.id), {});
  assert.deepEqual(await rowsOf(t.db, other.board.id), before);
  assert.equal(await t.storage.open(storage_key), undefined);
  const { rows: announced } = await sql<{ kind: string }>`
    select kind from changes where id > ${lastChange.rows[0]?.id} and project_id = ${board.id}
      -- The change of the events sent above is recorded a moment later.
      and kind <> 'error_group'`.execute(t.db);
  assert.deepEqual(announced, [], "nobody can receive changes of a deleted project");
  const { rows_total, rows_deleted, finished_at, project_key } = await onlyDeletion(board.admin);
  assert.deepEqual([rows_deleted, project_key], [rows_total, board.key]);
  assert.ok(rows_total !== null && rows_total >= 9 && finished_at !== null);
});

test("every table with rows of a project is emptied by the deletion of the project", async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      and c.column_name in ('project_id', 'group_id', 'error_group_id', 'issue_id', 'report_id', 'release_id', 'epic_id', 'rule_id')
      and not exists (
        select from pg_constraint k where k.conrelid = c.table_name::regclass and k.contype = 'f' and k.confdeltype = 'c')
      and not exists (select from pg_inherits where inhrelid = c.table_name::regclass)
    order by 1`.execute(t.db);
  const withoutForeignKey = {
    alert_group_counts: "are deleted after a day",
    changes: "are deleted after minutes",
    deletions: "say what was deleted, for a month",
    error_event_ids: "have a step of their own",
    open_counts: "are deleted by a job once their sums are 0",
  };
  assert.deepEqual(
    rows.map(({ name }) => name),
    Object.keys(withoutForeignKey),
  );
});

test("a job that loses its connection at any step continues where it was", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board } = await fillProject(t, workspace);
  assert.equal((await board.admin.delete(board.url)).status, 202);
  await endRestorePeriods(t.db);
  let batches = 0;
  let deletion = await onlyDeletion(board.admin);
  for (; deletion.finished_at === null; batches++) {
    await assert.rejects(deleteNextBatch(killed), /terminat|connection/i);
    assert.deepEqual(await onlyDeletion(board.admin), deletion, "a lost batch changes nothing");
    // Until the killed connection's lock is gone, there is nothing to do.
    await waitUntil(() => deleteNextBatch(t.database.pool));
    deletion = await onlyDeletion(board.admin);
  }
  assert.ok(batches > 10, String(batches));
  assert.deepEqual(await rowsOf(t.db, board.id), {});
  assert.equal(deletion.rows_deleted, deletion.rows_total);
});

test("two processes that run the job at the same time share its work", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board } = await fillProject(t, workspace);
  assert.equal((await board.admin.delete(board.url)).status, 202);
  await endRestorePeriods(t.db);
  for (let n = 0; n < 100 && Object.keys(await rowsOf(t.db, board.id)).length > 0; n++)
    await Promise.all([deleteNextBatch(t.database.pool), deleteNextBatch(t.database.pool)]);
  await runJob();
  assert.deepEqual(await rowsOf(t.db, board.id), {});
  const { rows_total, rows_deleted } = await onlyDeletion(board.admin);
  assert.equal(rows_deleted, rows_total);
});

test("other jobs leave a project alone while its rows are being deleted", async () => {
  const workspace = await makeWorkspace(t.db);
  const { board, token } = await fillProject(t, workspace);
  await t.db
    .updateTable("issues")
    .set({ rank: "a".repeat(300) })
    .where("project_id", "=", board.id)
    .where("number", "=", 1)
    .execute();
  await t.db
    .updateTable("reports")
    .set({ rank: "a".repeat(300) })
    .where("project_id", "=", board.id)
    .execute();
  assert.equal((await board.admin.delete(board.url)).status, 202);
  // An event that another process accepted before it knew of the deletion.
  await sql`insert into new_error_groups select id, project_id from error_groups where project_id = ${board.id}`.execute(
    t.db,
  );
  const mails = await sql<{ count: number }>`select count(*) from mails`.execute(t.db);
  await notifyOfErrors(t.db, { retentionDays: 90 });
  await queueErrorDigests(t.db);
  await renumberLongLanes(t.db);
  await renumberLongQueues(t.db);
  assert.deepEqual((await sql`select count(*) from mails`.execute(t.db)).rows, mails.rows);
  assert.ok(token);
  await runJob();
  assert.deepEqual(await rowsOf(t.db, board.id), {});
});

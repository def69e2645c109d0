import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { anEvent } from "../../../../test/support/error-events.ts";
import { startIngestion } from "../../../../test/support/ingestion.ts";
import { makeMember, makeProject, makeProjectToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { HttpError } from "../../answers/errors.ts";
import { connect } from "../../db/connect.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;
const open = (more?: Parameters<typeof startIngestion>[1]) => startIngestion(t, more);

test("an event for a deleted project returns 404, and the others of its batch are stored", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  const { add } = open();
  const results = await Promise.allSettled([add(id), add(987_654_321), add(id), add(id)]);
  assert.deepEqual(
    results.map((result) => result.status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled"],
  );
  assert.ok(results[1]?.status === "rejected" && results[1].reason instanceof HttpError);
  assert.equal(results[1].reason.status, 404);
  const group = await t.db
    .selectFrom("error_groups")
    .selectAll()
    .where("project_id", "=", id)
    .executeTakeFirst();
  assert.equal(group?.occurrence_count, 3);
});

test("if a project's rows are locked, only its events fail after the lock timeout", async () => {
  const [held, free] = [await makeProject(t.db, workspaceId), await makeProject(t.db, workspaceId)];
  const { add } = open();
  await Promise.all([add(held.id), add(free.id)]);
  const holder = await t.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from error_groups where project_id = $1 for update", [held.id]);
    const [blocked, passed] = await Promise.allSettled([add(held.id), add(free.id)]);
    assert.equal(passed.status, "fulfilled");
    assert.equal(blocked.status, "rejected");
    await holder.query("rollback");
    await add(held.id);
  } finally {
    holder.release();
  }
  const rows = await t.db
    .selectFrom("error_groups")
    .select(["project_id", "occurrence_count"])
    .where("project_id", "in", [held.id, free.id])
    .orderBy("project_id")
    .execute();
  assert.deepEqual(
    rows.map((row) => row.occurrence_count),
    [2, 2],
  );
});

/** Makes each statement that touches this exception class fail, `times` times in all. */
async function failFor(exceptionClass: string, code: string, times: number) {
  const name = sql.ref(`fail_${code}`);
  await sql`create sequence ${name}`.execute(t.db);
  await sql`create function ${name}() returns trigger language plpgsql as $$ begin
    if nextval(${sql.lit(`"fail_${code}"`)}) <= ${sql.lit(times)} then
      raise exception 'as if by chance' using errcode = ${sql.lit(code)};
    end if;
    return new;
  end $$`.execute(t.db);
  await sql`create trigger ${name} before insert on error_groups
    for each row when (new.exception_class = ${sql.lit(exceptionClass)}) execute function ${name}()`.execute(
    t.db,
  );
}
const classes = (count: number) => Array.from({ length: count }, (_, n) => `Failure${n}`);

async function countsOf(projectId: number): Promise<Record<string, number>> {
  const rows = await t.db
    .selectFrom("error_groups")
    .select(["exception_class", "occurrence_count"])
    .where("project_id", "=", projectId)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.exception_class, row.occurrence_count]));
}

test("if one group is locked, only its events fail, and later batches do not wait for it", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  const { add, batches } = open();
  const all = classes(12);
  const addAll = () => Promise.allSettled(all.map((exception_class) => add(id, { exception_class })));
  await addAll();
  const holder = await t.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from error_groups where project_id = $1 and exception_class = $2 for update", [
      id,
      "Failure5",
    ]);
    for (const round of [1, 2]) {
      batches.length = 0;
      const results = await addAll();
      const failed = results.flatMap((result, n) => (result.status === "rejected" ? [n] : []));
      assert.deepEqual(failed, [5], `round ${round}`);
      const [reason] = results.flatMap((result) =>
        result.status === "rejected" ? [result.reason as { code: string }] : [],
      );
      assert.equal(reason?.code, "55P03");
    }
    assert.deepEqual(batches.toSorted(), [1, 11], "the locked group is tried alone");
    await holder.query("rollback");
    await addAll();
    batches.length = 0;
    await addAll();
    assert.deepEqual(batches, [12], "the group is stored with the others again");
  } finally {
    holder.release();
  }
  assert.deepEqual(
    await countsOf(id),
    Object.fromEntries(all.map((name) => [name, name === "Failure5" ? 3 : 5])),
  );
});

for (const [code, what] of [
  ["40P01", "a deadlock"],
  ["40001", "a serialization failure"],
] as const)
  test(`after ${what} the batch is stored in parts, and a group that keeps failing returns 503`, async () => {
    const { id } = await makeProject(t.db, workspaceId);
    const { add } = open();
    await failFor(`Fails${code}`, code, 6);
    const all = [...classes(5), `Fails${code}`];
    const results = await Promise.allSettled(all.map((exception_class) => add(id, { exception_class })));
    assert.deepEqual(
      results.map((result) => result.status),
      [...classes(5).map(() => "fulfilled"), "rejected"],
    );
    const { admin } = await makeWorkspace(t.db);
    await makeMember(t.db, id, { user: admin });
    const token = t.http.as(await makeProjectToken(t.db, id, admin.id));
    const send = () =>
      token.post(`/api/projects/${id}/error-events`, anEvent({ exception_class: all.at(-1) }));
    const refused = await send();
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "1"]);
    assert.equal((await send()).status, 202);
    assert.deepEqual(await countsOf(id), Object.fromEntries(all.map((name) => [name, 1])));
  });

test("ingestion waits at most a second for a lock and two seconds for a statement", async () => {
  const { ingest, close } = connect(t.database.url, () => {});
  const { rows } = await ingest.query(
    "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement",
  );
  await close();
  assert.deepEqual(rows, [{ lock: "1s", statement: "2s" }]);
});

test("after a commit that failed, the first events of its group are still kept in full", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  const { add } = open();
  const addTogether = (count: number) => Promise.allSettled(Array.from({ length: count }, () => add(id)));
  await add(id);
  await sql`create function fail() returns trigger language plpgsql as 'begin raise ''conflict'' using errcode = ''40001''; end'`.execute(
    t.db,
  );
  await sql`create constraint trigger fail after insert or update on error_groups deferrable initially deferred
    for each row execute function fail()`.execute(t.db);
  const failed = await addTogether(12);
  assert.deepEqual(new Set(failed.map(({ status }) => status)), new Set(["rejected"]));
  await sql`drop function fail cascade`.execute(t.db);
  await addTogether(8);
  const { rows } = await sql`
    select occurrence_count, (select count(*) from kept_events where group_id = g.id) as kept
    from error_groups g where project_id = ${id}`.execute(t.db);
  assert.deepEqual(rows, [{ occurrence_count: 9, kept: 9 }]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { anEvent, TRACES } from "../../../../test/support/error-events.ts";
import { makeMember, makeProject, makeProjectToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { HttpError } from "../../answers/errors.ts";
import { UsageCounter } from "../../record/usage-counter.ts";
import { Ingestion } from "./ingestion.ts";
import { Overload } from "./overload.ts";
import { readEvent } from "./read-event.ts";
import type { StoredGroup } from "./store-events.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;

function open(more: { overload?: Overload; usage?: UsageCounter } = {}) {
  const heard: StoredGroup[] = [];
  const batches: number[] = [];
  const ingestion = new Ingestion({
    ...more,
    pool: t.database.ingest,
    retentionDays: 90,
    onStored: (groups) => heard.push(...groups),
    onBatch: (events) => batches.push(events),
  });
  const add = (projectId: number, overrides: Record<string, unknown> = {}) => {
    const bytes = Buffer.from(JSON.stringify(anEvent(overrides)));
    return ingestion.add({ projectId, event: readEvent(bytes), size: bytes.length });
  };
  return { add, heard, batches };
}

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
  const { rows } = await t.database.ingest.query(
    "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement",
  );
  assert.deepEqual(rows, [{ lock: "1s", statement: "2s" }]);
});

test("onStored receives each group of the batch, and whether it is new", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  const { add, heard } = open();
  await add(id);
  await Promise.all([add(id), add(id), add(id, { stack_trace: TRACES.search })]);
  const [first, ...later] = heard;
  assert.ok(first);
  assert.deepEqual({ project_id: first.project_id, is_new: first.is_new }, { project_id: id, is_new: true });
  assert.deepEqual(later.map((group) => [group.id === first.id, group.is_new]).toSorted(), [
    [false, true],
    [true, false],
  ]);
});

test("releases first seen in the same batch are listed in order of arrival", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  const { add } = open();
  const releases = ["3.0", "1.0", "5.0", "2.0", "4.0"];
  // The first one is in flight while the others wait.
  await Promise.all([add(id), ...releases.map((release) => add(id, { release }))]);
  const rows = await t.db
    .selectFrom("error_group_releases as r")
    .innerJoin("error_groups as g", "g.id", "r.group_id")
    .select("r.release")
    .where("g.project_id", "=", id)
    .orderBy("r.appearance")
    .execute();
  assert.deepEqual(
    rows.map((row) => row.release),
    releases,
  );
});

test("if a batch has several releases, one that regresses is enough, and the first of them is credited", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  const { add } = open();
  await add(id, { release: "1.0.0" });
  await t.db
    .updateTable("error_groups")
    .set({
      status: 1,
      resolved_at: sql`clock_timestamp()`,
      resolved_in: "release",
      resolved_in_release: "1.2.0",
    })
    .where("project_id", "=", id)
    .execute();
  // The first one is in flight while the others wait.
  await Promise.all(["1.0.0", "1.1.0", "1.3.0", "1.2.0", "1.0.1"].map((release) => add(id, { release })));
  const group = await t.db
    .selectFrom("error_groups")
    .select(["status", "reopen_count", "regressed_release"])
    .where("project_id", "=", id)
    .executeTakeFirst();
  assert.deepEqual(group, { status: 0, reopen_count: 1, regressed_release: "1.3.0" });
  const { rows } = await sql<{ version: string; regressed: number }>`
    select r.version, sum(c.regressed_groups)::int as regressed
    from releases r join release_counts c on c.release_id = r.id
    where r.project_id = ${id} group by 1 having sum(c.regressed_groups) > 0`.execute(t.db);
  assert.deepEqual(rows, [{ version: "1.3.0", regressed: 1 }]);
});

for (const [what, release, expected] of [
  ["a regression", "1.0.1", [0, 1]],
  ["a new release", "1.0.0", [1, 0]],
] as const)
  test(`${what} is recorded once in a group whose first events were stored before`, async () => {
    const { id } = await makeProject(t.db, workspaceId);
    const { add } = open();
    for (let n = 0; n < 12; n++) await add(id, { release: null });
    await t.db
      .updateTable("error_groups")
      .set({
        status: 1,
        resolved_at: sql`clock_timestamp()`,
        resolved_in: "release",
        resolved_in_release: "1.0.1",
      })
      .where("project_id", "=", id)
      .execute();
    await Promise.all([add(id, { release }), add(id, { release })]);
    const group = await t.db
      .selectFrom("error_groups")
      .select(["id", "status", "reopen_count", "occurrence_count"])
      .where("project_id", "=", id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([group.status, group.reopen_count, group.occurrence_count], [...expected, 14]);
    const { rows } = await sql<{ version: string; events: number; regressed: number }>`
      select r.version, sum(c.events)::int as events, sum(c.regressed_groups)::int as regressed
      from releases r join release_counts c on c.release_id = r.id where r.project_id = ${id} group by 1`.execute(
      t.db,
    );
    assert.deepEqual(rows, [{ version: release, events: 2, regressed: expected[1] }]);
    const history = await t.db
      .selectFrom("error_group_activity")
      .select("kind")
      .where("group_id", "=", group.id)
      .orderBy("id")
      .execute();
    assert.deepEqual(
      history.map(({ kind }) => kind),
      expected[1] ? ["first_seen", "regressed"] : ["first_seen"],
    );
  });

/** As if storing an event took 10 ms. */
const slow = () => new Overload({ msPerEvent: 10, measure: () => {} });

test("if too many events wait, all are counted, only the newest is shown in full, and a storm is noted", async () => {
  const { id } = await makeProject(t.db, workspaceId);
  const usage = new UsageCounter(t.db);
  const { add } = open({ overload: slow(), usage });
  const addMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => add(id, { tags: { shop: "7" } })));
  const read = async () => {
    const { rows } = await sql<{ count: number; kept: number; tags: object | null }>`
      select g.occurrence_count as count, (select count(*) from kept_events e where e.group_id = g.id) as kept, d.tags
      from error_groups g join error_group_details d on d.group_id = g.id where g.project_id = ${id}`.execute(
      t.db,
    );
    return rows;
  };
  await addMany(120);
  assert.deepEqual(await read(), [{ count: 120, kept: 1, tags: null }]);
  await addMany(1);
  assert.deepEqual(await read(), [{ count: 121, kept: 1, tags: { shop: "7" } }]);
  await add(id);
  assert.deepEqual(await read(), [{ count: 122, kept: 2, tags: null }], "one event per minute is kept again");
  await usage.close();
  const { rows } = await sql<{ kept: number; storms: number }>`
    select kept, (select count(*) from project_storms where project_id = ${id}) as storms
    from project_usage where project_id = ${id}`.execute(t.db);
  assert.deepEqual(rows, [{ kept: 1, storms: 1 }]);
});

test("a project with too many waiting events gets 503 with Retry-After, and others do not", async () => {
  const [stormy, calm] = [await makeProject(t.db, workspaceId), await makeProject(t.db, workspaceId)];
  const { add } = open({ overload: slow() });
  const results = await Promise.allSettled([
    ...Array.from({ length: 202 }, () => add(stormy.id)),
    add(calm.id),
  ]);
  const refused = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason as HttpError] : [],
  );
  assert.deepEqual(
    refused.map(({ status, headers }) => [status, headers["retry-after"]]),
    [
      [503, "1"],
      [503, "1"],
    ],
  );
  assert.equal(results.at(-1)?.status, "fulfilled");
});

test("events of a project with few do not wait for those of a project with many", async () => {
  const [stormy, calm] = [await makeProject(t.db, workspaceId), await makeProject(t.db, workspaceId)];
  const { add, batches } = open();
  await Promise.all([...Array.from({ length: 500 }, () => add(stormy.id)), add(calm.id)]);
  assert.deepEqual(
    batches.toSorted((a, b) => a - b),
    [1, 100, 200, 200],
  );
});

test("two projects with many events share each batch equally", async () => {
  const [one, other] = [await makeProject(t.db, workspaceId), await makeProject(t.db, workspaceId)];
  const { add, heard } = open();
  const addMany = (id: number, count: number) => Array.from({ length: count }, () => add(id));
  await Promise.all([...addMany(one.id, 400), ...addMany(other.id, 150)]);
  assert.deepEqual(
    heard.slice(0, 2).map(({ stored }) => stored),
    [100, 100],
  );
});

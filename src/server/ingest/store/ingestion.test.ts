import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { TRACES } from "../../../../test/support/error-events.ts";
import { startIngestion } from "../../../../test/support/ingestion.ts";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;
const open = (more?: Parameters<typeof startIngestion>[1]) => startIngestion(t, more);

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

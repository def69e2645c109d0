import assert from "node:assert/strict";
import { test } from "node:test";
import { anEvent, TRACES } from "../../../../test/support/error-events.ts";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { HttpError } from "../../answers/errors.ts";
import { Ingestion } from "./ingestion.ts";
import { readEvent } from "./read-event.ts";
import type { StoredGroup } from "./store-events.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;

function open() {
  const heard: StoredGroup[] = [];
  const ingestion = new Ingestion({
    pool: t.database.ingest,
    retentionDays: 90,
    onStored: (groups) => heard.push(...groups),
  });
  const add = (projectId: number, overrides: Record<string, unknown> = {}) => {
    const bytes = Buffer.from(JSON.stringify(anEvent(overrides)));
    return ingestion.add({ projectId, event: readEvent(bytes), size: bytes.length });
  };
  return { add, heard };
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

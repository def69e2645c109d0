import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { startIngestion } from "../../../../test/support/ingestion.ts";
import { makeProject, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { HttpError } from "../../answers/errors.ts";
import { UsageCounter } from "../../record/usage-counter.ts";
import { Overload } from "../store/overload.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;
const open = (more?: Parameters<typeof startIngestion>[1]) => startIngestion(t, more);

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

test("events of a project with few waiting events do not wait for those of a project with many", async () => {
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

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { useTestApp } from "../../../test/support/test-app.ts";
import { ErrorGroupChanges } from "./error-group-changes.ts";
import { waitUntil } from "../../../test/support/eventually.ts";

const t = await useTestApp();
beforeEach(async () => {
  await t.db.deleteFrom("changes").execute();
});

/** The groups announced by each transaction. */
async function flushes() {
  const rows = await t.db
    .selectFrom("changes")
    .select(["transaction", "kind", "project_id", "target_id"])
    .orderBy("id")
    .execute();
  return [...Map.groupBy(rows, (row) => row.transaction).values()];
}

async function waitForFlushes(count: number) {
  await waitUntil(async () => (await flushes()).length >= count, `no ${count} flushes`);
}

test("thousands of events are announced once per group, in one insert", async () => {
  const changes = new ErrorGroupChanges(t.db, { everyMs: 60_000 });
  for (let i = 0; i < 5_000; i++) changes.add([{ id: 1 + (i % 3), project_id: 9 }]);
  await waitForFlushes(1);
  for (let i = 0; i < 5_000; i++) changes.add([{ id: 1 + (i % 3), project_id: 9 }]);
  assert.equal((await flushes()).length, 1, "announced before the next is due");
  await changes.close();
  const all = await flushes();
  assert.equal(all.length, 2);
  for (const flush of all)
    assert.deepEqual(
      flush.map(({ kind, project_id, target_id }) => [kind, project_id, target_id]),
      [
        ["error_group", 9, 1],
        ["error_group", 9, 2],
        ["error_group", 9, 3],
      ],
    );
});

test("with continuous events, there is one announcement per interval", async () => {
  const everyMs = 100;
  const changes = new ErrorGroupChanges(t.db, { everyMs });
  const start = performance.now();
  await waitUntil(async () => {
    changes.add([{ id: 1, project_id: 9 }]);
    return (await flushes()).length >= 3;
  });
  await changes.close();
  const count = (await flushes()).length;
  const most = Math.floor((performance.now() - start) / everyMs) + 2;
  assert.ok(count <= most, `${count} messages`);
});

test("closing announces the waiting groups, if any", async () => {
  const changes = new ErrorGroupChanges(t.db, { everyMs: 60_000 });
  changes.add([{ id: 1, project_id: 9 }]);
  await waitForFlushes(1);
  changes.add([{ id: 2, project_id: 9 }]);
  await changes.close();
  assert.equal((await flushes()).length, 2);
  await new ErrorGroupChanges(t.db).close();
  assert.equal((await flushes()).length, 2);
});

test("a database error is reported, and the next flush succeeds", async () => {
  const failed = Promise.withResolvers<Error>();
  const changes = new ErrorGroupChanges(t.db, { everyMs: 10, onError: failed.resolve });
  await sql`alter table changes rename to gone`.execute(t.db);
  changes.add([{ id: 1, project_id: 9 }]);
  assert.match((await failed.promise).message, /changes/);
  await sql`alter table gone rename to changes`.execute(t.db);
  changes.add([{ id: 1, project_id: 9 }]);
  await changes.close();
  assert.equal((await flushes()).length, 1);
});

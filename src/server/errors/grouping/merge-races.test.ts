import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { makeProjectToken, makeWorkspace } from "../../../../test/support/make.ts";
import { listGroups, lockGroup, mergeInto, openTwoGroups, sendAs } from "../../../../test/support/merge.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";
import type { Answer } from "../../../../test/support/client.ts";
import { deleteHiddenRows } from "../../../../test/support/delete-hidden-rows.ts";
import { deleteExpired } from "../retention/delete-expired.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);

type Opened = Awaited<ReturnType<typeof openTwoGroups>>;
const open = () => openTwoGroups(t, workspace);

async function openMerged() {
  const opened = await open();
  const { project, a, b } = opened;
  const { rows } = await sql<{ key: string }>`
    select encode(key, 'hex') as key from error_groups where id = ${b.id}`.execute(t.db);
  await mergeInto(project, a.id, [b.id]);
  const unmerge = () =>
    project.admin.post(`${project.groups}/${a.id}/unmerge`, { fingerprints: [rows[0]?.key] });
  return { ...opened, unmerge };
}

test("an event that waits for the split of its fingerprint belongs to the new group", async () => {
  const { a, send, unmerge, counts } = await openMerged();
  await send("B");
  const answers = await collide(t.database, lockGroup(a), async (waiting) => {
    const splitting = unmerge();
    await waiting(1);
    const sent = send("B");
    await waiting(2);
    return [splitting, sent];
  });
  assert.deepEqual(statusesOf(answers), [200, 202]);
  assert.deepEqual(await counts(), [
    ["A", 3],
    ["B", 1],
  ]);
});

test("a split that waits for an event of the fingerprint leaves it in the group", async () => {
  const { a, send, unmerge, counts } = await openMerged();
  await send("B");
  const answers = await collide(t.database, lockGroup(a), async (waiting) => {
    const sent = send("B");
    await waiting(1);
    const splitting = unmerge();
    await waiting(2);
    return [sent, splitting];
  });
  assert.deepEqual(statusesOf(answers), [202, 200]);
  assert.deepEqual(await counts(), [["A", 4]]);
});

test("a split that waits for a merge of its group returns 404, and the fingerprint moves to the target", async () => {
  const { project, a, send, merge, unmerge, counts } = await openMerged();
  const c = await sendAs(project, "C");
  const answers = await collide(t.database, lockGroup(a), async (waiting) => {
    const merging = merge(c.id, [a.id]);
    await waiting(1);
    const splitting = unmerge();
    await waiting(2);
    return [merging, splitting];
  });
  assert.deepEqual([...statusesOf(answers), answers[1]?.body.merged_into], [200, 404, c.id]);
  await send("B");
  assert.deepEqual(await counts(), [["C", 4]]);
});

test("a merge that waits for a split of its group does not bring the fingerprint back", async () => {
  const { project, a, send, merge, unmerge, counts } = await openMerged();
  const c = await sendAs(project, "C");
  const answers = await collide(t.database, lockGroup(a), async (waiting) => {
    const splitting = unmerge();
    await waiting(1);
    const merging = merge(c.id, [a.id]);
    await waiting(2);
    return [splitting, merging];
  });
  assert.deepEqual(statusesOf(answers), [200, 200]);
  await send("B");
  await send("A");
  assert.deepEqual(await counts(), [
    ["B", 1],
    ["C", 4],
  ]);
});

const expire = ({ id }: { id: number }) =>
  sql`update error_groups set last_seen_at = now() - interval '91 days' where id = ${id}`.execute(t.db);

/** The two groups in the order in which they are locked. */
async function inLockOrder({ a, b }: Pick<Opened, "a" | "b">) {
  const { rows } = await sql<{ id: number }>`
    select id from error_groups where id in (${a.id}, ${b.id}) order by key`.execute(t.db);
  return rows as [{ id: number }, { id: number }];
}

test("retention leaves an expired group that a merge has locked", async () => {
  const opened = await open();
  const [source, target] = await inLockOrder(opened);
  await expire(source);
  const [answer] = await collide(t.database, lockGroup(target), async (waiting) => {
    const merging = opened.merge(target.id, [source.id]);
    await waiting(1);
    await deleteExpired(t.database.pool, 90, undefined);
    return [merging];
  });
  assert.deepEqual([answer?.status, answer?.body.occurrence_count], [200, 2]);
});

test("a merge is refused if retention has deleted one of its groups while it waited", async () => {
  for (const isTargetDeleted of [false, true]) {
    const opened = await open();
    const [first, second] = await inLockOrder(opened);
    await expire(second);
    const [answer] = await collide(t.database, lockGroup(first), async (waiting) => {
      const merging = isTargetDeleted
        ? opened.merge(second.id, [first.id])
        : opened.merge(first.id, [second.id]);
      await waiting(1);
      await deleteExpired(t.database.pool, 90, undefined);
      return [merging];
    });
    assert.equal(answer?.status, isTargetDeleted ? 404 : 422);
    assert.deepEqual(
      (await listGroups(opened.project)).map(({ id, occurrence_count }) => [id, occurrence_count]),
      [[first.id, 1]],
    );
  }
});

test("a process that has cached the groups of a batch as open notices that another process merged them", async () => {
  const { project, a, b, send, merge, counts } = await open();
  const c = await sendAs(project, "C");
  const others = [await openAppOn(t.database.url), await openAppOn(t.database.url)];
  try {
    const token = await makeProjectToken(t.db, project.id, workspace.admin.id);
    const senders = others.map(({ http }) => http.as(token));
    const sendAll = async (times: number) => {
      const sent = senders.flatMap((sender) =>
        Array.from({ length: times }, () => ["B", "C"].map((name) => send(name, {}, sender))).flat(),
      );
      assert.deepEqual(new Set(statusesOf(await Promise.all(sent))), new Set([202]));
    };
    for (let n = 0; n < 3; n++) await sendAll(5);
    await merge(a.id, [b.id, c.id]);
    await sendAll(5);
    for (const sender of senders) assert.equal((await send("C", {}, sender)).status, 202);
    assert.deepEqual(await counts(), [["A", 3 + 60 + 20 + 2]]);
  } finally {
    for (const other of others) await other.close();
  }
});

test("a merge that waits while its project is deleted returns 404, and events in flight do not fail the deletion", async () => {
  const { project, p, a, merge, send } = await open();
  const answers = await collide(t.database, lockGroup(a), async (waiting) => {
    const sent = send("A");
    await waiting(1);
    const merging = merge();
    await waiting(2);
    const deleting = project.admin.delete(p);
    await waiting(3);
    return [sent, merging, deleting];
  });
  assert.deepEqual(statusesOf(answers), [202, 200, 202]);
  await deleteHiddenRows(t);
  const { rows } = await sql`select from error_groups where project_id = ${project.id}`.execute(t.db);
  assert.equal(rows.length, 0);
});

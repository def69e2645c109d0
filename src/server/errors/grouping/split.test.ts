import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { hashOf } from "../../../../test/support/error-events.ts";
import { makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import {
  listGroups,
  lockGroup,
  mergeInto,
  readGroup,
  sendAs,
  traceOf,
} from "../../../../test/support/merge.ts";
import { anEvent } from "../../../../test/support/error-events.ts";
import { openProject } from "../../../../test/support/project.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";
import type { AuditEvent } from "../../../shared/audit.ts";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** A project in which group B was merged into A, and the fingerprint of B. */
async function openMerged() {
  const project = await openProject(t, workspace);
  const a = await sendAs(project, "A");
  const b = await sendAs(project, "B", { user_hash: hashOf(1) });
  const fingerprints = await fingerprintsOf([a.id, b.id]);
  await mergeInto(project, a.id, [b.id]);
  const unmerge = (body: object, id = a.id) => project.admin.post(`${project.groups}/${id}/unmerge`, body);
  return { project, a, b, own: fingerprints[0] as string, merged: fingerprints[1] as string, unmerge };
}

async function fingerprintsOf(ids: number[]): Promise<string[]> {
  const { rows } = await sql<{ fingerprint: string }>`
    select encode(key, 'hex') as fingerprint from error_groups where id = any(${ids}::bigint[]) order by id`.execute(
    t.db,
  );
  return rows.map(({ fingerprint }) => fingerprint);
}

test("after a split, events of the fingerprint form a group of their own, and past counts stay", async () => {
  const { project, a, b, merged, unmerge } = await openMerged();
  await sendAs(project, "B");
  const answer = await unmerge({ fingerprints: [merged] });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, await readGroup(project, a.id));
  assert.equal(answer.body.occurrence_count, 3);
  const again = await sendAs(project, "B");
  await sendAs(project, "A");
  assert.deepEqual([again.occurrence_count, again.exception_class], [1, "B"]);
  assert.ok(again.id !== a.id && again.id !== b.id);
  assert.equal((await readGroup(project, a.id)).occurrence_count, 4);
  const old = await project.admin.get(`${project.groups}/${b.id}`);
  assert.deepEqual([old.status, old.body.merged_into], [404, a.id]);
  const { data } = (await project.admin.get(`${project.groups}/${a.id}/activity`)).body;
  const last = data.at(-1) as ErrorGroupActivity;
  assert.deepEqual([last.kind, last.from], ["split", { fingerprint: merged, exception_class: "B" }]);
  const audit = `/api/workspaces/${workspace.id}/audit-events?kind=error_group.split`;
  const [audited] = (await project.admin.get(audit)).body.data as AuditEvent[];
  assert.deepEqual([audited?.subject?.id, audited?.details["fingerprints"]], [a.id, [merged]]);
  const remerged = await mergeInto(project, again.id, [a.id]);
  assert.deepEqual([remerged.occurrence_count, remerged.affected_users], [5, 1]);
});

test("a group's own first fingerprint, and those that were not merged into it, cannot be split off", async () => {
  const { project, own, merged, unmerge } = await openMerged();
  const c = await sendAs(project, "C");
  const [foreign] = await fingerprintsOf([c.id]);
  for (const fingerprints of [
    [own],
    [merged, own],
    [foreign],
    [merged, foreign],
    [],
    ["x"],
    [merged, merged],
  ]) {
    const answer = await unmerge({ fingerprints });
    assert.deepEqual(
      [answer.status, Object.keys(answer.body.errors)[0]?.split(".")[0]],
      [422, "fingerprints"],
    );
  }
  assert.equal((await unmerge({ fingerprints: [merged] }, c.id)).status, 422);
  await sendAs(project, "B");
  assert.equal((await listGroups(project)).length, 2);
});

test("another process notices merges and splits when it stores their events", async () => {
  const { project, a, merged, unmerge } = await openMerged();
  const second = await openAppOn(t.database.url);
  try {
    const elsewhere = second.http.as(await makePersonalToken(t.db, workspace.admin.id));
    const send = async (name: string) => {
      const event = anEvent({ stack_trace: traceOf(name), exception_class: name });
      assert.equal((await elsewhere.post(project.events, event)).status, 202);
    };
    await send("B");
    assert.equal((await readGroup(project, a.id)).occurrence_count, 3);
    assert.equal((await unmerge({ fingerprints: [merged] })).status, 200);
    await send("B");
    await send("A");
    const counts = (await listGroups(project)).map(({ exception_class, occurrence_count }) => [
      exception_class,
      occurrence_count,
    ]);
    assert.deepEqual(counts.toSorted(), [
      ["A", 4],
      ["B", 1],
    ]);
  } finally {
    await second.close();
  }
});

test("an event that arrives for a group while it is merged is counted once, in the target", async () => {
  const project = await openProject(t, workspace);
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const send = (name: string) =>
    project.sender.post(project.events, anEvent({ stack_trace: traceOf(name), exception_class: name }));
  const merge = () => project.admin.post(`${project.groups}/${a.id}/merge`, { error_group_ids: [b.id] });
  const answers = await collide(t.database, lockGroup(b), async (waiting) => {
    const merging = merge();
    await waiting(1);
    const sent = send("B");
    await waiting(2);
    return [merging, sent, send("B")];
  });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 202, 202],
  );
  assert.deepEqual(
    (await listGroups(project)).map(({ id, occurrence_count }) => [id, occurrence_count]),
    [[a.id, 4]],
  );
});

test("a regression during a merge is either part of it or regresses the target", async () => {
  const project = await openProject(t, workspace);
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  for (const { id } of [a, b]) await project.admin.post(`${project.groups}/${id}/resolve`, {});
  const event = anEvent({ stack_trace: traceOf("B"), exception_class: "B", release: "2" });
  const answers = await collide(t.database, lockGroup(b), async (waiting) => {
    const merging = project.admin.post(`${project.groups}/${a.id}/merge`, { error_group_ids: [b.id] });
    await waiting(1);
    const sent = project.sender.post(project.events, event);
    await waiting(2);
    return [merging, sent];
  });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 202],
  );
  const { status, reopen_count, occurrence_count } = await readGroup(project, a.id);
  assert.deepEqual(
    { status, reopen_count, occurrence_count },
    { status: 0, reopen_count: 1, occurrence_count: 3 },
  );
});

test("if two opposite merges race, one succeeds and the other returns 404 with merged_into", async () => {
  const project = await openProject(t, workspace);
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const merge = (into: ErrorGroup, from: ErrorGroup) =>
    project.admin.post(`${project.groups}/${into.id}/merge`, { error_group_ids: [from.id] });
  const answers = await collide(t.database, lockGroup(a), async (waiting) => {
    const first = merge(a, b);
    const second = merge(b, a);
    await waiting(2);
    return [first, second];
  });
  const won = answers.find(({ status }) => status === 200);
  const lost = answers.find(({ status }) => status !== 200);
  assert.deepEqual([lost?.status, lost?.body.merged_into], [404, won?.body.id]);
  assert.equal(won?.body.occurrence_count, 2);
  assert.equal((await listGroups(project)).length, 1);
});

test("resolving the target and its source during a merge resolves the target", async () => {
  const project = await openProject(t, workspace);
  const [a, b] = [await sendAs(project, "A"), await sendAs(project, "B")];
  const answers = await collide(t.database, lockGroup(a), async (waiting) => {
    const merging = project.admin.post(`${project.groups}/${a.id}/merge`, { error_group_ids: [b.id] });
    await waiting(1);
    const resolving = project.admin.post("/api/error-groups/bulk-status", {
      error_group_ids: [a.id, b.id],
      status: 1,
    });
    await waiting(2);
    return [merging, resolving];
  });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const { status, occurrence_count } = await readGroup(project, a.id);
  assert.deepEqual({ status, occurrence_count }, { status: 1, occurrence_count: 2 });
});

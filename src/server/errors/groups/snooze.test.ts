import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collide } from "../../../../test/support/collide.ts";
import { hashOf } from "../../../../test/support/error-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import { endDueSnoozes } from "./end-snoozes.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);
const LATER = "2099-01-15T08:00:00Z";

async function snoozed(until: object): Promise<{ project: TestProject; url: string; id: number }> {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "4.1.0" });
  const url = `${project.groups}/${id}`;
  const answer = await project.admin.post(`${url}/ignore`, { until });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.status, answer.body.snoozed_until], [2, until]);
  return { project, url, id };
}

async function historyOf(project: TestProject, url: string): Promise<unknown[][]> {
  const { data } = (await project.admin.get(`${url}/activity`)).body as { data: ErrorGroupActivity[] };
  return data.map(({ kind, actor_id, from, to }) => [kind, actor_id, from, to]);
}

test("a snooze ends with the event that reaches its number of occurrences", async () => {
  const { project, url } = await snoozed({ occurrences: 2 });
  await project.send();
  assert.equal((await project.only()).status, 2);
  await project.send();
  const { status, snoozed_until, reopen_count } = await project.only();
  assert.deepEqual([status, snoozed_until, reopen_count], [0, null, 0]);
  assert.deepEqual(await historyOf(project, url), [
    ["first_seen", null, null, "4.1.0"],
    ["snoozed", workspace.admin.id, null, { occurrences: 2 }],
    ["reopened", null, { occurrences: 2 }, null],
  ]);
  await project.send();
  assert.equal((await historyOf(project, url)).length, 3, "it ends once");
});

test("a snooze ends with the event of the last user, counting each user once since the snooze", async () => {
  const { project } = await snoozed({ users: 2 });
  for (const [user, status] of [
    [1, 2],
    [1, 2],
    [2, 0],
  ] as const) {
    await project.send({ user_hash: hashOf(user) });
    assert.equal((await project.only()).status, status);
  }
});

test("a snooze until a release ends with an event of that release or a newer one", async () => {
  for (const release of ["4.3.0", "4.10.0"]) {
    const { project } = await snoozed({ release: "4.3.0" });
    for (const older of ["4.1.0", "4.2.9", undefined]) await project.send({ release: older });
    assert.equal((await project.only()).status, 2);
    await project.send({ release });
    assert.equal((await project.only()).status, 0, release);
  }
});

test("a snoozed group says how many events and users have been counted since the snooze", async () => {
  const { project, url } = await snoozed({ occurrences: 50, users: 10, at: LATER });
  const progress = async () => {
    const [listed] = (await project.admin.get(project.groups)).body.data;
    assert.deepEqual((await project.only()).snooze_progress, listed.snooze_progress);
    return listed.snooze_progress;
  };
  assert.deepEqual(await progress(), { occurrences: 0, users: 0 });
  for (const user of [1, 1, 2]) await project.send({ user_hash: hashOf(user) });
  assert.deepEqual(await progress(), { occurrences: 3, users: 2 });
  await project.admin.post(`${url}/ignore`, { until: { users: 5 } });
  assert.deepEqual(await progress(), { occurrences: null, users: 0 });
  await project.admin.post(`${url}/ignore`);
  assert.equal(await progress(), null);
});

test("the first condition that is met ends a snooze", async () => {
  const { project } = await snoozed({ at: LATER, occurrences: 1, users: 100 });
  await project.send();
  assert.equal((await project.only()).status, 0);
});

test("a snooze until a time ends then, without an event", async () => {
  const { project, url, id } = await snoozed({ at: LATER });
  await endDueSnoozes(t.db);
  assert.equal((await project.only()).status, 2);
  await sql`update error_groups set snooze_ends_at = now() - interval '1 second' where id = ${id}`.execute(
    t.db,
  );
  await Promise.all([endDueSnoozes(t.db), endDueSnoozes(t.db)]);
  assert.deepEqual([(await project.only()).status, (await project.only()).snoozed_until], [0, null]);
  assert.deepEqual((await historyOf(project, url)).slice(2), [["reopened", null, { at: LATER }, null]]);
});

test("a new condition replaces the old one and restarts its counts, and ignoring without one is permanent", async () => {
  const { project, url } = await snoozed({ occurrences: 2 });
  await project.send();
  await project.admin.post(`${url}/ignore`, { until: { occurrences: 2 } });
  await project.send();
  assert.equal((await project.only()).status, 2);
  const { body } = await project.admin.post(`${url}/ignore`);
  assert.equal(body.snoozed_until, null);
  for (let n = 0; n < 3; n++) await project.send({ release: "9.0.0" });
  assert.equal((await project.only()).status, 2);
});

test("a bulk status snoozes, and without a condition it leaves snoozed groups as they are", async () => {
  const { project, id } = await snoozed({ occurrences: 9 });
  const bulk = (body: object) =>
    project.admin.post("/api/error-groups/bulk-status", { error_group_ids: [id], status: 2, ...body });
  assert.deepEqual((await bulk({})).body.data[0].snoozed_until, { occurrences: 9 });
  assert.deepEqual((await bulk({ until: { users: 3 } })).body.data[0].snoozed_until, { users: 3 });
  const refused = await bulk({ until: { users: 3 }, status: 1 });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["until"]]);
});

test("a condition that is empty, in the past or not a number of events is refused", async () => {
  const { project, url } = await snoozed({ at: LATER });
  for (const until of [
    {},
    { at: null },
    { at: "2020-01-01T00:00:00Z" },
    { at: "tomorrow" },
    { occurrences: 0 },
    { users: 1.5 },
    { release: "" },
    "x",
  ]) {
    const answer = await project.admin.post(`${url}/ignore`, { until });
    assert.equal(answer.status, 422, JSON.stringify(until));
  }
});

test("resolving a snoozed group ends its snooze, and later events follow the resolution", async () => {
  const { project, url } = await snoozed({ occurrences: 1 });
  await project.admin.post(`${url}/resolve`);
  await project.send({ release: "4.1.0" });
  const { status, snoozed_until } = await project.only();
  assert.deepEqual([status, snoozed_until], [1, null]);
});

for (const first of ["event", "resolve"] as const)
  test(`a resolution and the event that ends a snooze race: the ${first} comes first`, async () => {
    const { project, url, id } = await snoozed({ occurrences: 2 });
    const send = () => project.send({ release: "4.1.0" });
    // Now the process knows that the group is not open, so it stores the next event with one statement.
    await send();
    const resolve = async () => void (await project.admin.post(`${url}/resolve`));
    const lock = `select from error_groups where id = ${id} for update`;
    await collide(t.database, lock, async (waiting) => {
      const one = first === "event" ? send() : resolve();
      await waiting(1);
      const other = first === "event" ? resolve() : send();
      await waiting(2);
      return [one, other];
    });
    const { status, snoozed_until, occurrence_count, reopen_count } = await project.only();
    assert.deepEqual([status, snoozed_until, occurrence_count, reopen_count], [1, null, 3, 0]);
    const kinds = (await historyOf(project, url)).map(([kind]) => kind);
    assert.deepEqual(
      kinds,
      first === "event"
        ? ["first_seen", "snoozed", "reopened", "resolved"]
        : ["first_seen", "snoozed", "resolved"],
    );
  });

for (const [first, lock, kinds] of [
  ["resolution", "select from error_groups where id = $id for update", ["resolved"]],
  ["time", "lock table error_group_activity in exclusive mode", ["reopened", "resolved"]],
] as const)
  test(`a resolution and the time that ends a snooze race: the ${first} comes first`, async () => {
    const { project, url, id } = await snoozed({ at: LATER });
    await sql`update error_groups set snooze_ends_at = now() where id = ${id}`.execute(t.db);
    const resolve = async () => void (await project.admin.post(`${url}/resolve`));
    await collide(t.database, lock.replace("$id", String(id)), async (waiting) => {
      const one = first === "time" ? endDueSnoozes(t.db) : resolve();
      await waiting(1);
      if (first === "resolution") await endDueSnoozes(t.db);
      const other = first === "time" ? resolve() : undefined;
      if (other) await waiting(2);
      return other ? [one, other] : [one];
    });
    await endDueSnoozes(t.db);
    const { status, snoozed_until } = await project.only();
    assert.deepEqual([status, snoozed_until], [1, null]);
    assert.deepEqual(
      (await historyOf(project, url)).slice(2).map(([kind]) => kind),
      kinds,
    );
  });

test("a regression is in the history with the release that caused it, and so is each further release with its first event", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "1.0" });
  const url = `${project.groups}/${id}`;
  await project.admin.post(`${url}/resolve`);
  await project.send({ release: "1.0" });
  await project.send({ release: "1.1" });
  await project.send({ release: "1.2" });
  await project.send({ release: "1.1" });
  await project.admin.post(`${url}/ignore`);
  assert.deepEqual((await historyOf(project, url)).slice(1), [
    ["resolved", workspace.admin.id, null, "1.0"],
    ["regressed", null, "1.0", "1.1"],
    ["first_in_release", null, null, "1.1"],
    ["first_in_release", null, null, "1.2"],
    ["ignored", workspace.admin.id, null, null],
  ]);
  const entries: ErrorGroupActivity[] = [];
  for (let cursor = ""; entries.length < 6;) {
    const { data, meta } = (await project.admin.get(`${url}/activity?limit=1${cursor}`)).body;
    entries.push(...data);
    cursor = `&cursor=${meta.next_cursor}`;
  }
  assert.deepEqual(entries, (await project.admin.get(`${url}/activity`)).body.data);
  assert.equal(new Set(entries.map((entry) => entry.id)).size, 6);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "../../../../test/support/client.ts";
import { hashOf } from "../../../../test/support/error-events.ts";
import { eventOf, makeErrorGroup, type PastGroup } from "../../../../test/support/make-error-group.ts";
import { makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { openAppOn, useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** A group with past events, read as the full resource and as a list item. `send` sends another event of the group. */
async function past(group: PastGroup) {
  const project = await openProject(t, workspace);
  const { place } = await makeErrorGroup(t.db, project, group);
  const send = async (overrides: Record<string, unknown>) => {
    await project.send({ ...eventOf(place), ...overrides });
    return project.only();
  };
  return { project, send, ...(await seen(project)) };
}

async function seen(project: TestProject) {
  const { daily_counts, affected_users } = (await project.admin.get(project.groups)).body
    .data[0] as ErrorGroup;
  return { whole: await project.only(), item: { daily_counts, affected_users } };
}

/** `length` daily counts, oldest first. `days` maps days ago to counts; all others are 0. */
const counts = (length: number, days: Record<number, number>) =>
  Array.from({ length }, (_, n) => days[length - 1 - n] ?? 0);

test("daily_counts has 30 UTC days in the resource and 14 in lists, oldest first, 0 for empty days", async () => {
  const days = { 0: 3, 1: 5, 13: 7, 14: 11, 29: 13 };
  const { whole, item } = await past({ days: { ...days, 30: 17, 89: 19 } });
  assert.deepEqual(whole.daily_counts, counts(30, days));
  assert.deepEqual(item.daily_counts, counts(14, { 0: 3, 1: 5, 13: 7 }));
});

test("a group without events for 30 days has only zeros", async () => {
  const { whole, item } = await past({ last_seen: 40, days: { 40: 5 }, occurrence_count: 5 });
  assert.deepEqual(whole.daily_counts, counts(30, {}));
  assert.deepEqual(item.daily_counts, counts(14, {}));
  assert.equal(whole.occurrence_count, 5);
});

for (const [name, last_seen, before, after] of [
  ["yesterday", 1, { 1: 4, 3: 2 }, { 0: 1, 1: 4, 3: 2 }],
  ["a week ago", 7, { 7: 4, 29: 2 }, { 0: 1, 7: 4, 29: 2 }],
  ["29 days ago", 29, { 29: 4, 30: 2 }, { 0: 1, 29: 4 }],
  ["89 days ago", 89, { 89: 4 }, { 0: 1 }],
  ["half a year ago", 180, { 180: 4 }, { 0: 1 }],
] as const)
  test(`an event today in a group last seen ${name} keeps every count on its day`, async () => {
    const { send } = await past({ last_seen, days: { ...before } });
    assert.deepEqual((await send({})).daily_counts, counts(30, after));
    assert.deepEqual((await send({})).daily_counts, counts(30, { ...after, 0: 2 }));
  });

test("days outside a shorter window are 0 even before the daily job deletes them", async () => {
  const short = await openAppOn(t.database.url, { RETENTION_DAYS: "7" });
  try {
    const { project } = await past({ days: { 0: 1, 6: 2, 7: 3, 20: 4 } });
    const token = await makeToken();
    const [item] = (await client(short.app).as(token).get(project.groups)).body.data;
    assert.deepEqual(item.daily_counts, counts(14, { 0: 1, 6: 2 }));
    const whole = await client(short.app).as(token).get(`${project.groups}/${item.id}`);
    assert.deepEqual(whole.body.daily_counts, counts(30, { 0: 1, 6: 2 }));
  } finally {
    await short.close();
  }
});

const makeToken = () => makePersonalToken(t.db, workspace.admin.id);

for (const [name, users, expected] of [
  ["none", [], null],
  ["those seen within the window", [0, 45, 89.9], 3],
  ["no expired ones, before the daily job ran", [1, 90.1, 200], 1],
  ["null, not 0, when all have expired", [91, 200], null],
] as const)
  test(`affected_users counts ${name}`, async () => {
    const { whole, item } = await past(users.length === 0 ? {} : { users: [...users] });
    assert.deepEqual([whole.affected_users, item.affected_users], [expected, expected]);
  });

test("an expired user who returns is counted again, once", async () => {
  const { send, whole } = await past({ users: [100, 1] });
  assert.equal(whole.affected_users, 1);
  assert.equal((await send({ user_hash: hashOf(0) })).affected_users, 2);
  assert.equal((await send({ user_hash: hashOf(0) })).affected_users, 2);
  assert.equal((await send({ user_hash: hashOf(7) })).affected_users, 3);
});

test("an expired user who returns is counted with those who never expired, but not with those still expired", async () => {
  const { send } = await past({ users: [95, 94, 1] });
  assert.equal((await send({ user_hash: hashOf(1) })).affected_users, 2);
});

test("hosts not seen within the window are not shown", async () => {
  const { whole } = await past({ hosts: { old: [900, 90.1], new: [2, 89.9], now: [3, 0] } });
  assert.deepEqual(whole.hosts, [
    { name: "now", count: 3 },
    { name: "new", count: 2 },
  ]);
});

test("a host that returns after the window restarts at 1, one that returns within it continues", async () => {
  const { send } = await past({ hosts: { gone: [900, 91], back: [5, 89] } });
  await send({ host: "gone" });
  const { hosts } = await send({ host: "back" });
  assert.deepEqual(hosts, [
    { name: "back", count: 6 },
    { name: "gone", count: 1 },
  ]);
});

test("expired hosts are not among the ten hosts", async () => {
  const hosts: NonNullable<PastGroup["hosts"]> = {};
  for (let n = 0; n < 12; n++) hosts[`old-${n}`] = [100, 120];
  for (let n = 10; n < 21; n++) hosts[`h${n}`] = [1, 3];
  const { whole } = await past({ hosts });
  assert.deepEqual(
    whole.hosts.map((host) => host.name),
    ["h10", "h11", "h12", "h13", "h14", "h15", "h16", "h17", "h18", "h19"],
  );
});

test("a configured window applies to users and hosts", async () => {
  const short = await openAppOn(t.database.url, { RETENTION_DAYS: "7" });
  try {
    const { project, whole } = await past({ users: [1, 8], hosts: { a: [1, 6], b: [1, 8] } });
    assert.deepEqual([whole.affected_users, whole.hosts.length], [2, 2]);
    const http = client(short.app).as(await makeToken());
    const { body } = await http.get(`${project.groups}/${whole.id}`);
    assert.deepEqual([body.affected_users, body.hosts], [1, [{ name: "a", count: 1 }]]);
    assert.equal((await http.get(project.groups)).body.data[0].affected_users, 1);
  } finally {
    await short.close();
  }
});

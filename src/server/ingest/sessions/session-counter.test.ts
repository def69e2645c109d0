import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { Db } from "../../db/connect.ts";
import { deleteOldSessions } from "../../errors/releases/health/delete-old-sessions.ts";
import { UsageCounter } from "../../record/usage-counter.ts";
import { SessionCounter } from "./session-counter.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

const started = new Date().toISOString();

async function open() {
  const { id, admin } = await openProject(t, workspace);
  const sender = { projectId: id, userHashSecret: Buffer.from(`secret of ${id}`) };
  const counterOn = (db: Db, more: { maxUserRows?: number; storageQuota?: number } = {}) => {
    const errors: Error[] = [];
    const usage = new UsageCounter(t.db, more);
    const counter = new SessionCounter(db, {
      usage,
      everyMs: 3_600_000,
      onError: (error) => errors.push(error),
      ...more,
    });
    const add = (sent: object) => counter.add(sender, [itemOf(sent)]);
    return { add, errors, usage, close: () => counter.close() };
  };
  const read = async (version: string) => {
    const answer = await admin.get(`/api/projects/${id}/releases/${version}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.health;
  };
  return { id, counterOn, read };
}

const itemOf = (sent: object) => ({
  header: { type: "aggregates" in sent ? "sessions" : "session" },
  payload: Buffer.from(JSON.stringify({ started, init: true, attrs: { release: "1" }, ...sent })),
});

const addUsers = (add: (sent: object) => void, from: number, to: number, crashed: (n: number) => boolean) => {
  for (let n = from; n < to; n++)
    add({ sid: `s${n}`, did: `user ${n}`, status: crashed(n) ? "crashed" : "exited" });
};

test("the number of 10,000 users is exact, and that of 60,000 right to 2 percent", async () => {
  const { counterOn, read } = await open();
  const counter = counterOn(t.db);
  addUsers(counter.add, 0, 10_000, (n) => n % 10 === 0);
  await counter.close();
  const exact = await read("1");
  assert.deepEqual([exact.users, exact.crash_free_users, exact.users_exact], [10_000, 0.9, true]);
  for (const [from, to] of [
    [5_000, 25_000],
    [20_000, 60_000],
  ] as const) {
    addUsers(counter.add, from, to, (n) => n % 10 === 0);
    await counter.close();
  }
  const estimated = await read("1");
  assert.equal(estimated.users_exact, false);
  assert.ok(Math.abs(estimated.users / 60_000 - 1) < 0.02, `${estimated.users} users`);
  assert.ok(Math.abs(estimated.crash_free_users - 0.9) < 0.02, `${estimated.crash_free_users}`);
  const { rows } = await t.database.pool.query(
    "select count(*)::int as n from release_users group by count_id",
  );
  assert.ok(rows.every(({ n }) => n <= 20_000));
});

test("a write that failed is repeated, and one whose response was lost counts once", async () => {
  const { id, counterOn, read } = await open();
  await sql`alter table failed_sessions rename to gone`.execute(t.db);
  const counter = counterOn(t.db);
  counter.add({ sid: "a", status: "crashed" });
  await counter.close();
  assert.equal(counter.errors.length, 1);
  await sql`alter table gone rename to failed_sessions`.execute(t.db);
  counter.add({ sid: "b", status: "exited" });
  await counter.close();
  const { sessions, crashed } = await read("1");
  assert.deepEqual([sessions, crashed], [2, 1]);

  const write = async (sent: object[]) => {
    const writeId = "7b1f0c56-6a3e-4d8c-9c52-0f7f4f2f0b11";
    await sql`select add_sessions(${writeId}, ${JSON.stringify(sent)}, 20000)`.execute(t.db);
  };
  const counts = { sessions: 1, errored: 0, crashed: 0, abnormal: 0 };
  const target = { project_id: id, release: "1", environment: "production" };
  const sent = [{ ...target, hours: [{ at: started, ...counts }], failed: [], users: [] }];
  await write(sent);
  await write(sent);
  assert.equal((await read("1")).sessions, 3);
});

test("what one window counts of a project is bounded", async () => {
  const { id, counterOn } = await open();
  const counter = counterOn(t.db);
  for (let n = 0; n < 300; n++) counter.add({ sid: `s${n}`, attrs: { release: `1.0.${n}` } });
  await counter.close();
  await counter.usage.close();
  const { rows } = await t.database.pool.query(
    `select (select count(*)::int from releases where project_id = $1) as releases,
      (select discarded::int from project_usage where project_id = $1) as discarded`,
    [id],
  );
  assert.deepEqual(rows, [{ releases: 200, discarded: 100 }]);
});

test("failed sessions and users take part of the storage of a day, and are not told apart when it is full", async () => {
  const { id, counterOn, read } = await open();
  const counter = counterOn(t.db, { storageQuota: 350 });
  addUsers(counter.add, 0, 2, () => true);
  await counter.close();
  await counter.usage.close();
  const { rows } = await t.database.pool.query(
    "select stored_bytes::int from project_usage where project_id = $1",
    [id],
  );
  // An hour, two failed sessions, and two users of the day and of the release.
  assert.deepEqual(rows, [{ stored_bytes: 700 }]);
  counter.add({ sid: "later", did: "another", status: "crashed" });
  await counter.close();
  const { sessions, crashed, users } = await read("1");
  assert.deepEqual([sessions, crashed, users], [3, 3, 2]);
});

test("sessions are kept for 90 days, and users are told apart for a week", async () => {
  const { id, counterOn, read } = await open();
  const counter = counterOn(t.db);
  addUsers(counter.add, 0, 3, () => true);
  counter.add({ sid: "old", did: "old", attrs: { release: "0" }, status: "crashed" });
  await counter.close();
  const ofRelease = (version: string) =>
    sql`release_id = (select id from releases where project_id = ${id} and version = ${version})`;
  await sql`update release_user_counts set day = day - 8 where ${ofRelease("1")} and day is not null`.execute(
    t.db,
  );
  await sql`update release_sessions set hour = hour - interval '91 days' where ${ofRelease("0")}`.execute(
    t.db,
  );
  await sql`update release_user_counts set day = day - 91 where ${ofRelease("0")} and day is not null`.execute(
    t.db,
  );
  await sql`update failed_sessions set changed_at = changed_at - interval '6 days' where ${ofRelease("0")}`.execute(
    t.db,
  );
  await deleteOldSessions(t.db);
  const rowsOf = async (version: string) => {
    const { rows } = await sql`
      select (select count(*)::int from release_sessions where ${ofRelease(version)}) as hours,
        (select count(*)::int from failed_sessions where ${ofRelease(version)}) as failed,
        (select count(*)::int from release_user_counts where ${ofRelease(version)}) as counts,
        (select count(*)::int from release_users u join release_user_counts k on k.id = u.count_id
          where ${ofRelease(version)}) as users`.execute(t.db);
    return rows;
  };
  assert.deepEqual(await rowsOf("0"), [{ hours: 0, failed: 0, counts: 0, users: 0 }]);
  assert.deepEqual(await rowsOf("1"), [{ hours: 1, failed: 3, counts: 2, users: 3 }]);
  assert.deepEqual([(await read("1")).users, (await read("0")).sessions], [3, 0]);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import { hashOf } from "../../../../test/support/error-events.ts";
import { eventOf, makeErrorGroup, type PastGroup } from "../../../../test/support/make-error-group.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { runRetention } from "./retention.ts";

let project: TestProject;
const t = await useTestApp();
beforeEach(async () => {
  await sql`truncate error_groups, retention_runs cascade`.execute(t.db);
  project = await openProject(t, await makeWorkspace(t.db));
});

const run = () => runRetention(t.database.pool, 90);

/** Groups seen today, so that the expired ones stay below a fifth. */
async function youngGroups(count: number) {
  for (let n = 0; n < count; n++) await makeErrorGroup(t.db, project, { days: { 0: 1 } });
}

const make = async (past: PastGroup) => (await makeErrorGroup(t.db, project, past)).id;

async function ids(): Promise<number[]> {
  const rows = await t.db.selectFrom("error_groups").select("id").orderBy("id").execute();
  return rows.map((row) => row.id);
}

const whole = async (id: number) => (await project.admin.get(`${project.groups}/${id}`)).body as ErrorGroup;

test("a group last seen before the window is deleted with all its rows", async () => {
  await youngGroups(4);
  const gone = await make({
    last_seen: 90.01,
    first_seen: 400,
    users: [91],
    hosts: { a: [1, 91] },
    releases: ["1"],
  });
  const kept = await make({ last_seen: 89.99, first_seen: 400 });
  const result = await run();
  assert.deepEqual([result.outcome, result.groups], ["done", 1]);
  const left = await ids();
  assert.deepEqual([left.length, left.includes(kept), left.includes(gone)], [5, true, false]);
  assert.equal((await project.admin.get(`${project.groups}/${gone}`)).status, 404);
});

test("user hashes expire individually, and affected_users stays correct", async () => {
  await youngGroups(5);
  const id = await make({ users: [0, 89.9, 90.1, 200, 300] });
  const other = await make({ users: [10, 20] });
  const result = await run();
  assert.equal(result.users, 3);
  assert.deepEqual([(await whole(id)).affected_users, (await whole(other)).affected_users], [2, 2]);
  const { rows } = await sql<{ count: number; rows: number; fresh: boolean }>`
    select c.users as count, (select count(*) from error_group_users u where u.group_id = c.group_id) as rows,
      c.users_seen_since > now() - interval '90 days' as fresh
    from error_group_counts c where c.group_id = ${id}`.execute(t.db);
  assert.deepEqual(rows, [{ count: 2, rows: 2, fresh: true }]);
});

test("affected_users is null once all users have expired, and 1 after the next one", async () => {
  await youngGroups(5);
  const { id, place } = await makeErrorGroup(t.db, project, { users: [91, 92] });
  assert.equal((await run()).users, 2);
  assert.equal((await whole(id)).affected_users, null);
  await project.send({ ...eventOf(place), user_hash: hashOf(0) });
  assert.equal((await whole(id)).affected_users, 1);
});

test("a user who expired and returned before the daily job is kept", async () => {
  await youngGroups(5);
  const { id, place } = await makeErrorGroup(t.db, project, { users: [95, 94] });
  await project.send({ ...eventOf(place), user_hash: hashOf(0) });
  assert.equal((await run()).users, 1);
  assert.equal((await whole(id)).affected_users, 1);
});

test("hosts expire individually, and a host that returns restarts at 1", async () => {
  await youngGroups(5);
  const { id, place } = await makeErrorGroup(t.db, project, { hosts: { old: [7, 90.1], new: [3, 89.9] } });
  assert.equal((await run()).hosts, 1);
  const rows = await t.db.selectFrom("error_group_hosts").select("name").where("group_id", "=", id).execute();
  assert.deepEqual(rows, [{ name: "new" }]);
  await project.send({ ...eventOf(place), host: "old" });
  assert.deepEqual((await whole(id)).hosts, [
    { name: "new", count: 3 },
    { name: "old", count: 1 },
  ]);
});

test("daily counts outside of the window are 0, and occurrence_count stays", async () => {
  await youngGroups(5);
  const id = await make({ days: { 0: 1, 29: 2, 89: 3 }, occurrence_count: 15 });
  await run();
  const group = await whole(id);
  assert.deepEqual([group.occurrence_count, group.daily_counts[0], group.daily_counts[29]], [15, 2, 1]);
});

test("release counts are kept as long as the group exists", async () => {
  await youngGroups(5);
  const { id, place } = await makeErrorGroup(t.db, project, { last_seen: 89, releases: ["1", "2"] });
  await sql`update error_group_releases set last_seen_at = now() - interval '200 days' where group_id = ${id}`.execute(
    t.db,
  );
  await run();
  await project.send({ ...eventOf(place), release: "1" });
  assert.deepEqual(
    (await whole(id)).releases.map((entry) => [entry.release, entry.occurrence_count]),
    [
      ["1", 2],
      ["2", 1],
    ],
  );
});

test("a shorter configured window applies", async () => {
  await youngGroups(4);
  await make({ last_seen: 8 });
  await make({ users: [6, 8], hosts: { a: [1, 6], b: [1, 8] } });
  const { groups, users, hosts } = await runRetention(t.database.pool, 7);
  assert.deepEqual({ groups, users, hosts }, { groups: 1, users: 1, hosts: 1 });
});

test("more rows than one batch are all deleted", async () => {
  await youngGroups(1);
  const { id } = await makeErrorGroup(t.db, project, { users: [1] });
  await sql`insert into error_group_users (group_id, user_hash, last_seen_at)
    select ${id}, sha256(int4send(n)), now() - interval '91 days' from generate_series(1, 5000) n`.execute(
    t.db,
  );
  await sql`update error_group_counts set users = 5001, users_seen_since = now() - interval '91 days'`.execute(
    t.db,
  );
  await sql`insert into error_group_hosts (group_id, name, count, last_seen_at)
    select ${id}, n::text, 1, now() - interval '91 days' from generate_series(1, 5000) n`.execute(t.db);
  const result = await run();
  assert.deepEqual([result.users, result.hosts, result.groups], [5000, 5000, 0]);
  assert.equal((await whole(id)).affected_users, 1);
});

test("users and hosts of an expired group are deleted before it, in separate batches", async () => {
  await youngGroups(4);
  const id = await make({ last_seen: 91, users: [91], hosts: { a: [1, 91] } });
  await sql`insert into error_group_users (group_id, user_hash, last_seen_at)
    select ${id}, sha256(int4send(n)), now() - interval '92 days' from generate_series(1, 5000) n`.execute(
    t.db,
  );
  await sql`create table deleted_rows (left_over bigint)`.execute(t.db);
  await sql`create function note_deletion() returns trigger language plpgsql as $$ begin
    insert into deleted_rows select count(*) from error_group_users where group_id = old.id; return old; end $$`.execute(
    t.db,
  );
  await sql`create trigger note before delete on error_groups for each row execute function note_deletion()`.execute(
    t.db,
  );
  const { groups, users, hosts } = await run();
  assert.deepEqual({ groups, users, hosts }, { groups: 1, users: 5001, hosts: 1 });
  const { rows } = await sql`select left_over from deleted_rows`.execute(t.db);
  assert.deepEqual(rows, [{ left_over: 0 }]);
  await sql`drop trigger note on error_groups; drop function note_deletion; drop table deleted_rows`.execute(
    t.db,
  );
});

test("the result of a run is recorded and reported in one line", async () => {
  await youngGroups(5);
  await make({ users: [91, 91, 0], hosts: { a: [1, 91] } });
  const result = await run();
  assert.equal(result.message, "Retention deleted 0 error groups, 2 user hashes and 1 hosts.");
  const { started_at, id, ...row } = await t.db
    .selectFrom("retention_runs")
    .selectAll()
    .executeTakeFirstOrThrow();
  assert.ok(started_at !== null && id > 0);
  assert.deepEqual(row, {
    outcome: "done",
    groups_deleted: 0,
    users_deleted: 2,
    hosts_deleted: 1,
  });
});

test("a second run right afterwards finds nothing to delete", async () => {
  await youngGroups(5);
  await make({ users: [91, 0], hosts: { a: [1, 91] } });
  await run();
  const { groups, users, hosts } = await run();
  assert.deepEqual([groups, users, hosts], [0, 0, 0]);
});

test("concurrent events of the same groups cause no deadlocks and lose no user who was just seen", async () => {
  const groups: { id: number; place: number }[] = [];
  for (let n = 0; n < 30; n++) groups.push(await makeErrorGroup(t.db, project, { users: [0] }));
  for (let round = 0; round < 12; round++) {
    await sql`update error_group_users set last_seen_at = now() - interval '91 days'`.execute(t.db);
    await sql`update error_group_counts set users_seen_since = now() - interval '91 days'`.execute(t.db);
    await sql`update error_group_hosts set last_seen_at = now() - interval '91 days'`.execute(t.db);
    const [result, ...answers] = await Promise.all([
      run(),
      ...groups.map(({ place }) =>
        project.sender.post(project.events, {
          environment: "production",
          exception_class: "RuntimeException",
          message: "",
          ...eventOf(place),
          user_hash: hashOf(0),
          host: "web-1",
        }),
      ),
    ]);
    assert.equal(result.outcome, "done");
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([202]));
    const { rows } = await sql<{ count: number; rows: number; hosts: number }>`
      select c.users as count, (select count(*) from error_group_users u where u.group_id = c.group_id) as rows,
        (select count(*) from error_group_hosts h where h.group_id = c.group_id) as hosts
      from error_group_counts c`.execute(t.db);
    assert.deepEqual(
      rows.filter((row) => row.count !== 1 || row.rows !== 1 || row.hosts !== 1),
      [],
      `round ${round}`,
    );
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { anEvent, hashOf } from "../../../../test/support/error-events.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { deleteExpired } from "../../errors/retention/delete-expired.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Sends events at the same time, so that they are stored together. */
async function sendTogether(project: Awaited<ReturnType<typeof openProject>>, events: object[]) {
  const answers = await Promise.all(
    events.map((event) => project.sender.post(project.events, anEvent({ ...event }))),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
}

/** As if the group had received one event from each of this many releases, in their order. */
async function addReleases(groupId: number, count: number) {
  await sql`
    insert into error_group_releases (group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
    select ${groupId}, sha256(convert_to('1.' || n, 'UTF8')), '1.' || n, 1, at, at
    from generate_series(1, ${count}::int) n, lateral (select now() - interval '1 day' + n * interval '1 second' as at) t
    order by n`.execute(t.db);
  await setCounts(groupId);
}

/** As if the group had received one event from each of this many hosts. */
async function addHosts(groupId: number, count: number, ageDays = 0) {
  await sql`
    insert into error_group_hosts (group_id, name, count, last_seen_at)
    select ${groupId}, 'pod-' || n, 1, now() - make_interval(days => ${ageDays}) from generate_series(1, ${count}::int) n`.execute(
    t.db,
  );
  await setCounts(groupId);
}

const setCounts = (groupId: number) =>
  sql`insert into error_group_counts as c (group_id, releases, hosts) values (${groupId},
      (select count(*) from error_group_releases where group_id = ${groupId}),
      (select count(*) from error_group_hosts where group_id = ${groupId}))
    on conflict (group_id) do update set releases = excluded.releases, hosts = excluded.hosts`.execute(t.db);

const countsOf = async (groupId: number) =>
  t.db.selectFrom("error_group_counts").selectAll().where("group_id", "=", groupId).executeTakeFirst();

const releasesOf = ({ releases }: ErrorGroup) =>
  Object.fromEntries(releases.map(({ release, occurrence_count }) => [release, occurrence_count]));

test("a group's detail has the latest 1,000 releases in order of first appearance, and their total", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ release: "0" });
  await addReleases(id, 1_200);
  const { releases, releases_count } = await project.only();
  assert.equal(releases_count, 1_201);
  assert.deepEqual(
    [releases.length, releases[0]?.release, releases.at(-2)?.release, releases.at(-1)?.release],
    [1_000, "1.202", "1.1200", "0"],
  );
});

test("releases beyond 10,000 are counted as other, and known ones as before", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first();
  await addReleases(id, 10_000);
  await sendTogether(
    project,
    ["2.0", "1.9999", "2.1", "2.2", "1.9999", "other"].map((release) => ({ release })),
  );
  await sendTogether(project, [{ release: "2.0" }]);
  const group = await project.only();
  const { other, "1.9999": known, "2.0": unknown } = releasesOf(group);
  assert.deepEqual([other, known, unknown], [5, 3, undefined]);
  assert.equal(group.releases_count, 10_001);
  assert.equal((await countsOf(id))?.releases, 10_001);
  assert.equal(group.last_release, "2.0");
});

test("hosts beyond 10,000 are counted as other until hosts expire", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first();
  await addHosts(id, 10_000, 91);
  await sendTogether(
    project,
    ["new-1", "new-2", "pod-7", "new-1"].map((host) => ({ host })),
  );
  assert.deepEqual((await project.only()).hosts, [
    { name: "other", count: 3 },
    { name: "pod-7", count: 1 },
  ]);
  assert.equal((await deleteExpired(t.database.pool, 90, undefined)).hosts, 9_999);
  assert.equal((await countsOf(id))?.hosts, 2);
  await sendTogether(project, [{ host: "new-1" }]);
  assert.deepEqual(
    (await project.only()).hosts.map(({ name }) => name),
    ["other", "new-1", "pod-7"],
  );
});

test("a group with a million users counts no further ones, and still records who was seen last", async () => {
  const project = await openProject(t, workspace);
  const { id } = await project.first({ user_hash: hashOf(1) });
  await t.db.updateTable("error_group_counts").set({ users: 1_000_000 }).where("group_id", "=", id).execute();
  await sql`update error_group_users set last_seen_at = now() - interval '1 day' where group_id = ${id}`.execute(
    t.db,
  );
  await sendTogether(project, [{ user_hash: hashOf(1) }, { user_hash: hashOf(2) }]);
  assert.equal((await project.only()).affected_users, 1_000_000);
  const { rows } = await sql<{ hash: string; is_fresh: boolean }>`
    select encode(user_hash, 'hex') as hash, last_seen_at > now() - interval '1 hour' as is_fresh
    from error_group_users where group_id = ${id}`.execute(t.db);
  assert.deepEqual(rows, [{ hash: hashOf(1), is_fresh: true }]);
});

test("the stored numbers of users, releases and hosts are those of the rows", async () => {
  const project = await openProject(t, workspace);
  for (let round = 0; round < 5; round++)
    await sendTogether(
      project,
      Array.from({ length: 30 }, (_, n) => ({
        exception_class: `E${n % 4}`,
        ...(n % 3 ? { release: `1.${round}.${n % 7}` } : {}),
        ...(n % 5 ? { host: `web-${(n * round) % 9}` } : {}),
        ...(n % 2 ? { user_hash: hashOf(n * round) } : {}),
      })),
    );
  const { rows } = await sql<{ id: number }>`
    select c.group_id as id from error_group_counts c join error_groups g on g.id = c.group_id
    where g.project_id = ${project.id} and (c.users, c.releases, c.hosts) is distinct from (
      select row((select count(*)::int from error_group_users u where u.group_id = g.id),
        (select count(*)::int from error_group_releases r where r.group_id = g.id),
        (select count(*)::int from error_group_hosts h where h.group_id = g.id)))`.execute(t.db);
  assert.deepEqual(rows, []);
});

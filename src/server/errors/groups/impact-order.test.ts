import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { rowsRead } from "../../../../test/support/rows-read.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { impactOf, insertScored, type Scored } from "../../../../test/support/scored-groups.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";
import { rankGroups } from "./rank-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

test("pages by impact are those of a complete sort, with equal scores and users of earlier days", async () => {
  const project = await openProject(t, workspace);
  let seed = 7;
  const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const groups = Array.from({ length: 300 }, (): Scored => {
    const hours = [0.01, 0.01, 0.01, 20, 25, 80][below(6)] as number;
    return {
      // Counts of earlier hours may be those of yesterday, of which only a part is counted.
      events: hours < 1 ? below(12) : 0,
      users: hours < 24 ? below(4) : 0,
      earlier: below(3) === 0 ? below(40) : 0,
      hours,
      fresh: below(5) === 0,
      status: below(3) === 0 ? 1 : 0,
    };
  });
  await insertScored(t.db, project.id, groups);
  const sorted = (only: (group: Scored) => boolean) =>
    [...groups.entries()]
      .filter(([, group]) => only(group))
      .toSorted(([n, a], [m, b]) => impactOf(b) - impactOf(a) || m - n)
      .map(([n]) => n);
  for (const [filter, only] of [
    ["", () => true],
    ["&status=1", ({ status }: Scored) => status === 1],
  ] as const)
    for (const limit of [1, 7, 50]) {
      const listed: number[] = [];
      for (let cursor = "", pages = 0; pages < 45; pages++) {
        const page: ErrorGroupList = (
          await project.admin.get(`${project.groups}?sort=impact&limit=${limit}${filter}${cursor}`)
        ).body;
        listed.push(...page.data.map(({ exception_class }) => Number(exception_class)));
        if (page.meta.next_cursor === null) break;
        cursor = `&cursor=${page.meta.next_cursor}`;
      }
      const expected = sorted(only);
      assert.deepEqual(listed, expected.slice(0, listed.length), `${filter} in pages of ${limit}`);
      assert.ok(listed.length === Math.min(expected.length, limit * 45), `${filter} in pages of ${limit}`);
    }
});

test("pages by impact across projects are those of a complete sort, whether new and regressed groups fill them or not", async () => {
  const own = await makeWorkspace(t.db);
  const projects = [await openProject(t, own), await openProject(t, own), await openProject(t, own)];
  let seed = 11;
  const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const all: (Scored & { name: string })[] = [];
  for (const project of projects) {
    const groups = Array.from({ length: 60 }, (): Scored => {
      const hours = [0.01, 0.01, 25][below(3)] as number;
      const isRecent = hours < 1;
      return {
        events: isRecent ? below(9) : 0,
        users: isRecent ? below(3) : 0,
        earlier: below(4),
        hours,
        fresh: below(3) === 0,
        status: below(2) === 0 ? 1 : 0,
      };
    });
    await insertScored(t.db, project.id, groups);
    all.push(...groups.map((group, n) => ({ ...group, name: `${project.id} ${n}` })));
  }
  for (const [filter, only] of [
    ["", () => true],
    ["&status=1", ({ status }: Scored) => status === 1],
  ] as const)
    for (const limit of [3, 10, 40]) {
      const listed: string[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: ErrorGroupList = (
          await projects[0]?.admin.get(
            `/api/error-groups?sort=impact&limit=${limit}${filter}${cursor && `&cursor=${cursor}`}`,
          )
        )?.body;
        listed.push(
          ...page.data.map(({ project_id, exception_class }) => `${project_id} ${exception_class}`),
        );
        cursor = page.meta.next_cursor;
      }
      const expected = [...all.entries()]
        .filter(([, group]) => only(group))
        .toSorted(([n, a], [m, b]) => impactOf(b) - impactOf(a) || m - n)
        .map(([, { name }]) => name);
      assert.deepEqual(listed, expected, `${filter} in pages of ${limit}`);
    }
});

test("a list by impact among many groups reads the ranked ones and those that have changed since", async () => {
  const project = await openProject(t, workspace);
  const target = await project.first();
  await sql`update error_groups set first_seen_at = now() - interval '40 days', last_seen_at = now() - interval '1 hour'
    where id = ${target.id}`.execute(t.db);
  const groups = Array.from({ length: 3_000 }, (_, n): Scored => {
    return { events: (n * 7) % 500, users: n % 3, earlier: n % 2, hours: 2, fresh: n % 900 === 0, status: 0 };
  });
  await insertScored(t.db, project.id, groups);
  await sql`analyze error_groups, error_group_counts, error_group_users`.execute(t.db);
  const first = async (query = "") =>
    ((await project.admin.get(`${project.groups}?sort=impact&limit=40${query}`)).body as ErrorGroupList).data;
  const ids = async (query?: string) => (await first(query)).map(({ id }) => id);
  const unranked = () => sql`delete from error_group_rankings where project_id = ${project.id}`.execute(t.db);
  const before = await ids();
  await rankGroups(t.db);
  const count = await rowsRead(t.database, "error_groups");
  assert.deepEqual(await ids(), before);
  const read = (await rowsRead(t.database, "error_groups")) - count;
  assert.ok(read < 2_000, `read ${read} rows`);
  assert.deepEqual(await ids("&level=fatal"), []);
  const all = await project.admin.get(`/api/error-groups?sort=impact&limit=40&project_id=${project.id}`);
  assert.deepEqual(
    all.body.data.map(({ id }: { id: number }) => id),
    before,
  );

  const { rows } = await sql<{ id: number }>`
    select id from error_groups where project_id = ${project.id} and id > ${target.id} order by daily_counts[1], id limit 1`.execute(
    t.db,
  );
  const seen = rows[0]?.id ?? 0;
  await sql`update error_groups set daily_counts[1] = 900, last_seen_at = now(),
      last_seen_span = date_bin('10 minutes', now(), 'epoch') where id = ${seen}`.execute(t.db);
  const merged = { error_group_ids: [before[4]] };
  assert.equal((await project.admin.post(`${project.groups}/${target.id}/merge`, merged)).status, 200);
  await project.admin.post(`${project.groups}/${before[3]}/resolve`);
  const ranked = [await ids(), await ids("&status=0")];
  assert.ok(ranked.every((list) => list.includes(seen) && list.includes(target.id)));
  const { rows: aliases } = await sql<{ fingerprint: string }>`
    select encode(key, 'hex') as fingerprint from error_group_aliases where group_id = ${target.id}`.execute(
    t.db,
  );
  const split = { fingerprints: aliases.map(({ fingerprint }) => fingerprint) };
  assert.equal((await project.admin.post(`${project.groups}/${target.id}/unmerge`, split)).status, 200);
  assert.deepEqual(await ids(), ranked[0], "past counts stay after a split");
  await unranked();
  assert.deepEqual(ranked, [await ids(), await ids("&status=0")]);
});

test("a list by impact across projects is the same with the ranking of one of them as without", async () => {
  const own = await makeWorkspace(t.db);
  const [large, small] = [await openProject(t, own), await openProject(t, own)];
  const groups = (count: number) =>
    Array.from({ length: count }, (_, n): Scored => {
      return {
        events: (n * 7) % 90,
        users: n % 5,
        earlier: n % 2,
        hours: 0,
        fresh: n % 300 === 0,
        status: 0,
      };
    });
  await insertScored(t.db, large.id, groups(1_200));
  await insertScored(t.db, small.id, groups(90));
  const ids = async (page: string) =>
    ((await large.admin.get(`/api/error-groups?sort=impact${page}`)).body as ErrorGroupList).data.map(
      ({ id }) => id,
    );
  const pages = ["&limit=40", "&limit=500", "&limit=40&query=1"];
  const before = await Promise.all(pages.map(ids));
  await rankGroups(t.db);
  assert.deepEqual(await Promise.all(pages.map(ids)), before);
  const target = before[0]?.[0];
  await sql`
    insert into error_group_aliases (group_id, key, exception_class, message)
    select ${target}, sha256(n::text::bytea), 'E', '' from generate_series(1, 7000) n`.execute(t.db);
  assert.deepEqual(await Promise.all(pages.map(ids)), before, "after many merges");
});

test("a ranking is written again after half an hour, or when 200 groups were seen since", async () => {
  const project = await openProject(t, workspace);
  const groups = Array.from({ length: 1_001 }, (_, n): Scored => {
    return { events: n, users: 0, earlier: 0, hours: 1, fresh: false, status: 0 };
  });
  await insertScored(t.db, project.id, groups);
  const ranking = async () => {
    await rankGroups(t.db);
    const { rows } = await sql<{ ranked_at: string }>`
      select ranked_at from error_group_rankings where project_id = ${project.id}`.execute(t.db);
    return rows[0]?.ranked_at;
  };
  const see = (count: number) =>
    sql`update error_groups set last_seen_at = now(), last_seen_span = date_bin('10 minutes', now(), 'epoch')
      where id in (select id from error_groups where project_id = ${project.id} order by id limit ${count})`.execute(
      t.db,
    );
  await see(1);
  const first = await ranking();
  assert.ok(first);
  await see(100);
  assert.equal(await ranking(), first);
  await see(200);
  const second = await ranking();
  assert.ok(second && second > first);
  await sql`update error_group_rankings set ranked_at = ranked_at - interval '31 minutes' where project_id = ${project.id}`.execute(
    t.db,
  );
  const third = await ranking();
  assert.ok(third && third > second);
  await sql`update error_group_rankings set ranked_at = ranked_at - interval '31 minutes' where project_id = ${project.id}`.execute(
    t.db,
  );
  await sql`delete from error_groups where project_id = ${project.id} and id % 4 > 0`.execute(t.db);
  assert.equal(await ranking(), undefined);
});

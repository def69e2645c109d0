import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { TRACES } from "../../../../test/support/error-events.ts";
import { makeErrorGroup } from "../../../../test/support/make-error-group.ts";
import { makeCookie, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { rankGroups } from "./ranked-groups.ts";
import type { ErrorGroup, ErrorGroupList, ErrorGroupSort } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

/** Groups that every sort puts in another order. The keys are their exception classes. */
async function openSorted() {
  const project = await openProject(t, workspace);
  const groups = {
    Frequent: { occurrence_count: 900, first_seen: 20, last_seen: 3, users: [3] },
    Widespread: {
      occurrence_count: 50,
      first_seen: 30,
      last_seen: 0.2,
      days: { 0: 5, 1: 5 },
      users: [0, 0, 9, 9],
    },
    Fresh: { occurrence_count: 3, first_seen: 0.5, last_seen: 0.1, days: { 0: 1, 1: 1 } },
    Old: { occurrence_count: 7, first_seen: 60, last_seen: 10, users: [9, 9, 9] },
  };
  for (const [exception_class, past] of Object.entries(groups))
    await makeErrorGroup(t.db, project, { exception_class, ...past });
  const read = async (query: string) => {
    const answer = await project.admin.get(`${project.groups}?${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as ErrorGroupList;
  };
  const classes = async (query: string) => (await read(query)).data.map((group) => group.exception_class);
  return { project, read, classes };
}

const SORTED: [ErrorGroupSort, string[]][] = [
  ["last_seen", ["Fresh", "Widespread", "Frequent", "Old"]],
  ["first_seen", ["Fresh", "Frequent", "Widespread", "Old"]],
  ["events", ["Frequent", "Widespread", "Old", "Fresh"]],
  ["users", ["Widespread", "Old", "Frequent", "Fresh"]],
  ["impact", ["Fresh", "Widespread", "Old", "Frequent"]],
];

test("lists are sorted by each sort in both directions, and continue after a cursor", async () => {
  const { read, classes } = await openSorted();
  for (const [sort, expected] of SORTED) {
    assert.deepEqual(await classes(`sort=${sort}`), expected, sort);
    assert.deepEqual(await classes(`sort=${sort}&direction=asc`), expected.toReversed(), `${sort} asc`);
    for (const direction of ["asc", "desc"]) {
      const query = `sort=${sort}&direction=${direction}&limit=3`;
      const first = await read(query);
      const rest = await read(`${query}&cursor=${first.meta.next_cursor}`);
      const all = [...first.data, ...rest.data].map((group) => group.exception_class);
      assert.deepEqual(all, direction === "asc" ? expected.toReversed() : expected, `${query} in pages`);
      assert.equal(rest.meta.next_cursor, null);
    }
  }
});

test("groups are filtered by level, regression, first release and tag", async () => {
  const project = await openProject(t, workspace);
  const group = await project.first({
    release: "1.0.0",
    exception_class: "Regressed",
    tags: { plan: "free" },
  });
  await project.admin.post(`${project.groups}/${group.id}/resolve`);
  await project.send({ release: "2.0.0", exception_class: "Regressed", tags: { plan: "team:eu" } });
  const warning = { level: "warning", exception_class: "Warned", stack_trace: TRACES.search };
  await project.send({ release: "2.0.0", ...warning });
  const cases: [string, string[]][] = [
    ["level=warning", ["Warned"]],
    ["level=error", ["Regressed"]],
    ["level=fatal", []],
    ["regressed=true", ["Regressed"]],
    ["regressed=false", ["Warned"]],
    ["first_release=1.0.0", ["Regressed"]],
    ["first_release=2.0.0", ["Warned"]],
    ["tag=plan:free", ["Regressed"]],
    ["tag=plan:team:eu", ["Regressed"]],
    ["tag=plan:other", []],
  ];
  for (const [query, expected] of cases) {
    const { data } = (await project.admin.get(`${project.groups}?${query}`)).body as ErrorGroupList;
    assert.deepEqual(
      data.map(({ exception_class }) => exception_class),
      expected,
      query,
    );
  }
});

test("unknown sorts, directions, filters and cursors return 422", async () => {
  const project = await openProject(t, workspace);
  for (const [field, value] of [
    ["sort", "name"],
    ["direction", "up"],
    ["level", "loud"],
    ["regressed", "1"],
    ["tag", "plan"],
    ["cursor", "nonsense"],
    ["cursor", Buffer.from("9999999999999999 1").toString("base64url")],
  ]) {
    const answer = await project.admin.get(`${project.groups}?${field}=${value}`);
    assert.deepEqual(
      [answer.status, Object.keys(answer.body.errors ?? {})],
      [422, [field]],
      `${field}=${value}`,
    );
  }
});

test("filters on a rare level, a first release and regressions read few groups", async () => {
  const project = await openProject(t, workspace);
  await project.first({ release: "9.9.9", level: "fatal" });
  await sql`insert into error_groups (project_id, environment, key, exception_class, release, latest_message,
      occurrence_count, daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at)
    select ${project.id}, 'production', sha256(('many ' || n)::bytea), 'Many', '1.0.0', '', 1,
      array_fill(0, array[90]), now(), now(), now(), now() from generate_series(1, 3000) n`.execute(t.db);
  await sql`analyze error_groups`.execute(t.db);
  for (const query of ["level=fatal", "first_release=9.9.9", "regressed=true"]) {
    const before = await reads();
    await project.admin.get(`${project.groups}?${query}`);
    const read = (await reads()) - before;
    assert.ok(read < 500, `${query} read ${read} rows`);
  }
});

test("lists by events, users and impact read few groups, and have all of them", async () => {
  const project = await openProject(t, workspace);
  // The first ten were seen today. Each has more events and users than the next one.
  await sql`insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count,
      daily_counts, first_seen_at, last_seen_at, last_seen_span, updated_at)
    select ${project.id}, 'production', sha256(('sorted ' || ${project.id} || n)::bytea), n, '', 9000000 / n,
      array_fill(0, array[90]), now() - interval '40 days', at, date_bin('10 minutes', at, 'epoch'), at
    from generate_series(1, 3000) n,
      lateral (select case when n <= 10 then now() - interval '1 minute' else now() - interval '3 days' end as at) seen`.execute(
    t.db,
  );
  await sql`insert into error_group_counts (group_id, users, users_seen_since)
    select id, occurrence_count / 1000, last_seen_at from error_groups where project_id = ${project.id}`.execute(
    t.db,
  );
  await sql`insert into error_group_users (group_id, user_hash, last_seen_at)
    select g.id, sha256(u::text::bytea), g.last_seen_at
    from error_groups g cross join generate_series(1, 20) u
    where g.project_id = ${project.id} and g.last_seen_at > now() - interval '1 hour'
      and u <= 20 - g.exception_class::int`.execute(t.db);
  await sql`analyze error_groups, error_group_counts, error_group_users`.execute(t.db);
  const list = async (query: string) =>
    (await project.admin.get(`${project.groups}?${query}`)).body as ErrorGroupList;
  for (const sort of ["events", "users", "impact"]) {
    const before = await reads();
    const page = await list(`sort=${sort}&limit=4`);
    const next = await list(`sort=${sort}&limit=4&cursor=${page.meta.next_cursor}`);
    const read = (await reads()) - before;
    assert.ok(read < 500, `${sort} read ${read} rows`);
    const ids = [...page.data, ...next.data].map(({ exception_class }) => Number(exception_class));
    assert.deepEqual(ids, [1, 2, 3, 4, 5, 6, 7, 8], sort);
  }
  let count = 0;
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: ErrorGroupList = await list(`sort=impact&limit=500${cursor && `&cursor=${cursor}`}`);
    count += page.meta.count;
    cursor = page.meta.next_cursor;
  }
  assert.equal(count, 3000, "groups without events today follow");
});

test("the pages across many projects are those of a complete sort, and read few groups of each project", async () => {
  const many = await makeWorkspace(t.db);
  // Some projects have all of the latest, the first or the most frequent groups. Several values are equal.
  await sql`with made as (
      insert into projects (workspace_id, key, name) select ${many.id}, 'ACROSS' || n, n from generate_series(1, 30) n returning id, name)
    insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count, daily_counts,
      first_seen_at, last_seen_at, last_seen_span, updated_at, level)
    select id, 'production', sha256(('across ' || id || ' ' || n)::bytea), '', '', 1 + (n * 7 + name::int * 31) % 90,
      array_fill(0, array[90]), at - n % 11 * interval '3 hours', at, date_bin('10 minutes', at, 'epoch'), at,
      case when n % 20 = 1 then 'fatal' else 'error' end
    from made cross join lateral generate_series(1, name::int * 10) n
    cross join lateral (select now() - interval '2 days' - (n / 2 * 10 + name::int * 200) * interval '1 minute' as at) seen`.execute(
    t.db,
  );
  await sql`insert into error_group_counts (group_id, users, users_seen_since)
    select g.id, g.occurrence_count % 7, g.last_seen_at from error_groups g join projects p on p.id = g.project_id
    where p.workspace_id = ${many.id}`.execute(t.db);
  await sql`analyze error_groups, error_group_counts, projects`.execute(t.db);
  const client = t.http.withCookie(await makeCookie(t.db, many.admin.id));
  const page = async (query: string) => {
    const answer = await client.get(`/api/error-groups?${query}`);
    assert.equal(answer.status, 200, query);
    return answer.body as ErrorGroupList;
  };
  const columns = { last_seen: "last_seen_at", first_seen: "first_seen_at", events: "occurrence_count" };
  for (const [sort, column] of [...Object.entries(columns), ["users", "users"]] as const)
    for (const direction of ["asc", "desc"])
      for (const [filter, level] of [
        ["", "%"],
        ["&level=fatal", "fatal"],
      ] as const) {
        const { rows } = await sql<{ id: number }>`
          select g.id from error_groups g join projects p on p.id = g.project_id
          join error_group_counts c on c.group_id = g.id where p.workspace_id = ${many.id} and level like ${level}
          order by ${sql.ref(column)} ${sql.raw(direction)}, g.id ${sql.raw(direction)} limit 150`.execute(
          t.db,
        );
        const listed: number[] = [];
        let cursor: string | null = "";
        while (listed.length < 150) {
          const before = await reads();
          const query = `sort=${sort}&direction=${direction}&limit=50${filter}${cursor && `&cursor=${cursor}`}`;
          const { data, meta }: ErrorGroupList = await page(query);
          const read = (await reads()) - before;
          if (sort.endsWith("_seen") && filter === "") assert.ok(read < 1_500, `${query} read ${read} rows`);
          listed.push(...data.map(({ id }) => id));
          cursor = meta.next_cursor;
        }
        assert.deepEqual(
          listed,
          rows.map(({ id }) => id),
          `${sort} ${direction} ${level}`,
        );
      }
});

/** A group seen `hours` ago, with that many events today, users of today and users of earlier days. */
type Scored = {
  events: number;
  users: number;
  earlier: number;
  hours: number;
  fresh: boolean;
  status: 0 | 1;
};

const impactOf = ({ events, users, hours, fresh }: Scored) =>
  hours >= 24 ? 0 : (fresh ? 1e12 : 0) + 10 * users + events;

async function insertScored(projectId: number, groups: Scored[]) {
  await sql`
    with given as (
      select n, (g ->> 'events')::int as events, (g ->> 'users')::int as users, (g ->> 'earlier')::int as earlier,
        (g ->> 'fresh')::boolean as fresh, (g ->> 'status')::smallint as status,
        now() - (g ->> 'hours')::float8 * interval '1 hour' as at
      from jsonb_array_elements(${JSON.stringify(groups)}::jsonb) with ordinality as given (g, n)
    ),
    made as (
      insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count, status,
        daily_counts, first_seen_at, regressed_at, last_seen_at, last_seen_span, updated_at)
      select ${projectId}, 'production', sha256(('scored ' || ${projectId}::text || ' ' || n)::bytea), n - 1, '', 1000, status,
        array[events] || array_fill(0, array[89]), case when fresh and n % 2 = 0 then at else now() - interval '40 days' end,
        case when fresh and n % 2 = 1 then at end, at, date_bin('10 minutes', at, 'epoch'), at
      from given order by n
      returning id, exception_class::int + 1 as n
    ),
    counted as (
      insert into error_group_counts (group_id, users, users_seen_since)
      select id, users + earlier, case when earlier = 0 then at else now() - interval '30 days' end from made join given using (n) where users + earlier > 0
    )
    insert into error_group_users (group_id, user_hash, last_seen_at)
    select id, sha256(u::text::bytea), case when u <= users then at else now() - interval '2 days' end
    from made join given using (n) cross join lateral generate_series(1, users + earlier) u`.execute(t.db);
}

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
  await insertScored(project.id, groups);
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

test("a list by impact among many groups reads the ranked ones and those that have changed since", async () => {
  const project = await openProject(t, workspace);
  const target = await project.first();
  await sql`update error_groups set first_seen_at = now() - interval '40 days', last_seen_at = now() - interval '1 hour'
    where id = ${target.id}`.execute(t.db);
  const groups = Array.from({ length: 3_000 }, (_, n): Scored => {
    return { events: (n * 7) % 500, users: n % 3, earlier: n % 2, hours: 2, fresh: n % 900 === 0, status: 0 };
  });
  await insertScored(project.id, groups);
  await sql`analyze error_groups, error_group_counts, error_group_users`.execute(t.db);
  const first = async (query = "") =>
    ((await project.admin.get(`${project.groups}?sort=impact&limit=40${query}`)).body as ErrorGroupList).data;
  const ids = async (query?: string) => (await first(query)).map(({ id }) => id);
  const unranked = () => sql`delete from error_group_rankings where project_id = ${project.id}`.execute(t.db);
  const before = await ids();
  await rankGroups(t.db);
  const count = await reads();
  assert.deepEqual(await ids(), before);
  const read = (await reads()) - count;
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
  await insertScored(large.id, groups(1_200));
  await insertScored(small.id, groups(90));
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
  await insertScored(project.id, groups);
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

/** Rows of error_groups that statements have read so far. Each connection keeps its own count until it reports it. */
async function reads(): Promise<number> {
  const { pool } = t.database;
  const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  await Promise.all(all.map((client) => client.query("select pg_stat_force_next_flush()")));
  for (const client of all) client.release();
  const { rows } = await pool.query<{ read: string }>(
    "select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables where relname = 'error_groups'",
  );
  return Number(rows[0]?.read);
}

test("a group of the list is as its detail", async () => {
  const project = await openProject(t, workspace);
  const group: ErrorGroup = await project.first({ release: "1.0.0" });
  const { data } = (await project.admin.get(`${project.groups}?sort=impact`)).body as ErrorGroupList;
  assert.deepEqual([data[0]?.id, data[0]?.occurrence_count], [group.id, 1]);
  assert.ok(!("sort_value" in (data[0] as object)));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { TRACES } from "../../../../test/support/error-events.ts";
import { rowsRead } from "../../../../test/support/rows-read.ts";
import { makeErrorGroup } from "../../../../test/support/make-error-group.ts";
import { makeCookie, makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
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
    const before = await rowsRead(t.database, "error_groups");
    await project.admin.get(`${project.groups}?${query}`);
    const read = (await rowsRead(t.database, "error_groups")) - before;
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
    const before = await rowsRead(t.database, "error_groups");
    const page = await list(`sort=${sort}&limit=4`);
    const next = await list(`sort=${sort}&limit=4&cursor=${page.meta.next_cursor}`);
    const read = (await rowsRead(t.database, "error_groups")) - before;
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

test("a list by users reads only the project's groups if others have many times as many", async () => {
  const { classes } = await openSorted();
  const before = await rowsRead(t.database, "error_groups");
  assert.deepEqual(await classes("sort=users&limit=3"), ["Widespread", "Old", "Frequent"]);
  const read = (await rowsRead(t.database, "error_groups")) - before;
  assert.ok(read < 100, `read ${read} rows`);
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
          const before = await rowsRead(t.database, "error_groups");
          const query = `sort=${sort}&direction=${direction}&limit=50${filter}${cursor && `&cursor=${cursor}`}`;
          const { data, meta }: ErrorGroupList = await page(query);
          const read = (await rowsRead(t.database, "error_groups")) - before;
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

test("a group in a list has the values of its detail", async () => {
  const project = await openProject(t, workspace);
  const group: ErrorGroup = await project.first({ release: "1.0.0" });
  const { data } = (await project.admin.get(`${project.groups}?sort=impact`)).body as ErrorGroupList;
  assert.deepEqual([data[0]?.id, data[0]?.occurrence_count], [group.id, 1]);
  assert.ok(!("sort_value" in (data[0] as object)));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

async function sortKeys(versions: string[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ key: string | null }>`
    select release_sort_key(version) as key from unnest(${versions}::text[]) with ordinality as v (version, n)
    order by n`.execute(t.db);
  return rows.map((row) => row.key);
}

/** The examples of the Semantic Versioning specification, and what sorts differently as text. */
const ASCENDING = [
  "0.0.0-0",
  "0.0.0",
  "0.9.9",
  "1.0.0-0",
  "1.0.0-2",
  "1.0.0-10",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-alpha-1",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0-rc.1.0",
  "1.0.0-rc.99999999999999999999",
  "1.0.0",
  "1.0.9",
  "1.0.10",
  "1.9.0",
  "1.10.0-rc.1",
  "1.10.0",
  "2.0.0",
  "10.0.0",
  "99999999999999999999.0.0",
];

for (const prefix of ["", "v", "shop@", "@acme/shop@", "a b@c@"])
  test(`semantic versions with the prefix “${prefix}” are in the order of their precedence`, async () => {
    const keys = await sortKeys(ASCENDING.map((version) => prefix + version));
    assert.deepEqual(
      keys.map((key) => key === null),
      ASCENDING.map(() => false),
    );
    assert.deepEqual([...new Set(keys)].toSorted(), keys);
  });

test("build metadata and prefixes do not change the precedence", async () => {
  const keys = await sortKeys(["1.2.3", "v1.2.3", "shop@1.2.3", "1.2.3+5", "shop@1.2.3+exp.sha-1.005"]);
  assert.equal(new Set(keys).size, 1);
  const [first, second] = await sortKeys(["1.2.3-rc.1", "1.2.3-rc.1+9"]);
  assert.equal(first, second);
});

test("other versions have no order of their own", async () => {
  const others = [
    "",
    "1",
    "1.2",
    "1.2.3.4",
    "01.2.3",
    "1.02.3",
    "1.2.03",
    "V1.2.3",
    "vv1.2.3",
    "shop@v1.2.3",
    "@1.2.3",
    "1.2.3-",
    "1.2.3-01",
    "1.2.3-a..b",
    "1.2.3+",
    "1.2.3+a+b",
    "1.2.3-ä",
    "1.2.3 ",
    " 1.2.3",
    "1.2.3\n",
    "9f2c1e7",
    "2026-11-20",
    "release-1.2.3",
    "-1.2.3",
    "1.2.3-rc_1",
    `1.2.3-${"a".repeat(300)}`,
  ];
  const keys = await sortKeys(others);
  assert.deepEqual(
    others.filter((_, n) => keys[n] !== null),
    [],
  );
});

/** Deployed a day apart, in this order; and the order in which they are listed. */
const LISTED: [string, string[], string[]][] = [
  ["releases that are not semantic versions, by time", ["b", "a", "c"], ["c", "a", "b"]],
  ["semantic versions, by precedence", ["1.9.0", "1.10.0", "1.9.1"], ["1.10.0", "1.9.1", "1.9.0"]],
  [
    "a hotfix of an old version, below the newer version",
    ["nightly-1", "2.0.0", "1.0.1", "nightly-2"],
    ["nightly-2", "2.0.0", "1.0.1", "nightly-1"],
  ],
  ["versions that differ in build metadata, by time", ["1.0.0+b", "1.0.0+a"], ["1.0.0+a", "1.0.0+b"]],
];

for (const [what, deployed, listed] of LISTED)
  test(`the list shows ${what}`, async () => {
    const { id, admin } = await openProject(t, workspace);
    const releases = `/api/projects/${id}/releases`;
    for (const [day, version] of deployed.entries()) {
      const answer = await admin.post(releases, { version, deployed_at: `2026-10-0${day + 1}T00:00:00Z` });
      assert.equal(answer.status, 201, answer.text);
    }
    const first = (await admin.get(`${releases}?limit=1`)).body;
    const rest = (await admin.get(`${releases}?cursor=${first.meta.next_cursor}`)).body;
    const rows = [...first.data, ...rest.data];
    assert.deepEqual(
      rows.map((row: { version: string }) => row.version),
      listed,
    );
    assert.equal(rest.meta.next_cursor, null);
    const { rows: latest } = await sql<{ version: string }>`
      select version from latest_release(${id})`.execute(t.db);
    assert.equal(latest[0]?.version, listed[0]);
  });

/** Numbers from 0 to 1, always the same ones. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Releases of both kinds, some of which were seen at the same time, have equal precedence, or were not seen yet. */
async function addReleases(projectId: number, seed: number): Promise<void> {
  const next = random(seed);
  const upTo = (most: number) => Math.floor(next() * most);
  const releases = Array.from({ length: 40 }, (_, n) => ({
    version: next() < 0.6 ? `${upTo(3)}.${upTo(3)}.0+${n}` : `build-${n}`,
    day: next() < 0.2 ? null : upTo(12),
  }));
  await sql`
    insert into releases (project_id, version_hash, version, first_seen_at)
    select ${projectId}, sha256(convert_to(version, 'UTF8')), version, timestamptz '2026-10-01' + day * interval '1 day'
    from json_to_recordset(${JSON.stringify(releases)}) as r (version text, day int)`.execute(t.db);
}

test("pages of any size have the releases in the order in which one statement sorts all of them", async () => {
  for (const [seed, limit] of [
    [1, 1],
    [2, 3],
    [3, 7],
    [4, 39],
    [5, 200],
  ] as const) {
    const { id, admin } = await openProject(t, workspace);
    await addReleases(id, seed);
    const { rows: sorted } = await sql<{ id: number }>`
      select id from ordered_releases where project_id = ${id}
      order by position_at desc, sort_key desc nulls last, first_seen_at desc nulls first, id desc`.execute(
      t.db,
    );
    const listed: number[] = [];
    let after = "";
    for (let isLast = false; !isLast;) {
      const answer = await admin.get(`/api/projects/${id}/releases?limit=${limit}${after}`);
      assert.equal(answer.status, 200, answer.text);
      listed.push(...answer.body.data.map((row: { id: number }) => row.id));
      isLast = answer.body.meta.next_cursor === null;
      after = `&cursor=${answer.body.meta.next_cursor}`;
    }
    assert.deepEqual(
      listed,
      sorted.map((row) => row.id),
      `seed ${seed}`,
    );
  }
});

test("a version that was not seen yet is listed by its precedence, even below all that were seen", async () => {
  const { id, admin } = await openProject(t, workspace);
  const releases = `/api/projects/${id}/releases`;
  for (const version of ["1.1.0", "1.3.0"]) await admin.post(releases, { version });
  await sql`
    insert into releases (project_id, version_hash, version)
    select ${id}, sha256(convert_to(version, 'UTF8')), version from unnest(array['1.2.0', '0.9.0']) version`.execute(
    t.db,
  );
  const { data } = (await admin.get(releases)).body;
  assert.deepEqual(
    data.map(({ version }: { version: string }) => version),
    ["1.3.0", "1.2.0", "1.1.0", "0.9.0"],
  );
});

test("a cursor that the list did not return is refused", async () => {
  const { id, admin } = await openProject(t, workspace);
  for (const text of ["7", "1 2", "1 2 soon", "1 2 3 4", "x"]) {
    const cursor = Buffer.from(text).toString("base64url");
    const answer = await admin.get(`/api/projects/${id}/releases?cursor=${cursor}`);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["cursor"]], text);
  }
});

test("the days without an error reach back 30 days, however many newer releases there are", async () => {
  const project = await openProject(t, workspace);
  const { id: groupId } = await project.first({ release: "1.0.0", environment: "production" });
  const today = Date.now();
  const dayOf = (daysAgo: number) => new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const deploy = (version: string, daysAgo: number, environment?: string) =>
    project.admin.post(`/api/projects/${project.id}/releases`, {
      version,
      environment,
      deployed_at: `${dayOf(daysAgo)}T12:00:00Z`,
    });
  await deploy("0.8.0", 31);
  await deploy("0.9.0", 20, "production");
  await deploy("0.9.0", 18, "staging");
  await deploy("0.9.1", 19);
  await deploy("1.0.0", 17, "production");
  // 120 newer releases without a deploy, on two days.
  await sql`
    insert into releases (project_id, version_hash, version, first_seen_at)
    select ${project.id}, sha256(convert_to('2.0.' || n, 'UTF8')), '2.0.' || n,
      ((array[${dayOf(5)}, ${dayOf(6)}])[n % 2 + 1] || ' 12:00:00Z')::timestamptz + make_interval(secs => n)
    from generate_series(1, 120) n`.execute(t.db);
  const url = `${project.groups}/${groupId}/days-without`;
  const answer = await project.admin.get(url);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, [
    { day: dayOf(20), releases_count: 1, versions: ["0.9.0"] },
    { day: dayOf(19), releases_count: 1, versions: ["0.9.1"] },
    { day: dayOf(6), releases_count: 60, versions: ["2.0.119", "2.0.117", "2.0.115"] },
    { day: dayOf(5), releases_count: 60, versions: ["2.0.120", "2.0.118", "2.0.116"] },
  ]);
  assert.equal((await project.admin.get(`${project.groups}/999999/days-without`)).status, 404);
});

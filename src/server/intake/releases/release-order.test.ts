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

import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, TRACES } from "../../../../test/support/error-events.ts";
import { eventOf, makeErrorGroup, type PastGroup } from "../../../../test/support/make-error-group.ts";
import { makeWorkspace } from "../../../../test/support/make.ts";
import { openProject, type TestProject } from "../../../../test/support/project.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { ErrorGroupList } from "../../../shared/error-groups.ts";

const t = await useTestApp();
const workspace = await makeWorkspace(t.db);

type List = { name: string; get(query?: Record<string, string>): Promise<ErrorGroupList> };

/** A new project, read through both lists: its own, and the cross-project list filtered by project. */
async function bothLists(): Promise<{ project: TestProject; lists: List[] }> {
  const project = await openProject(t, workspace);
  const { id, admin, groups } = project;
  const read = async (url: string, query: Record<string, string>) => {
    const answer = await admin.get(`${url}?${new URLSearchParams(query)}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as ErrorGroupList;
  };
  return {
    project,
    lists: [
      { name: "the project's list", get: (query = {}) => read(groups, query) },
      {
        name: "the cross-project list",
        get: (query = {}) => read("/api/error-groups", { ...query, project_id: String(id) }),
      },
    ],
  };
}

const ids = (list: ErrorGroupList) => list.data.map((group) => group.id);

test("a list item has exactly the documented fields, with the values of the first event", async () => {
  const project = await openProject(t, workspace);
  const group = await project.first({
    exception_class: "App\\PaymentFailed",
    message: "Card declined",
    release: "1.8.2",
    exception_code: "402",
    runtime: { name: "php", version: "8.4.1" },
    memory_peak_bytes: 1,
    context: { kind: "route", method: "POST", pattern: "/checkout/{cart}" },
    host: "web-1",
    user_hash: hashOf(1),
    previous_exceptions: [{ exception_class: "Outer", message: "", stack_trace: "" }],
  });
  const expected = {
    id: group.id,
    project_id: project.id,
    environment: "production",
    release: "1.8.2",
    last_release: "1.8.2",
    exception_class: "App\\PaymentFailed",
    latest_message: "Card declined",
    level: "error",
    context_kind: "route",
    context_label: "POST /checkout/{cart}",
    occurrence_count: 1,
    daily_counts: [...Array.from({ length: 13 }, () => 0), 1],
    affected_users: 1,
    status: 0,
    resolved_at: null,
    resolved_by_id: null,
    regressed_at: null,
    reopen_count: 0,
    resolved_in: null,
    snoozed_until: null,
    snooze_progress: null,
    verified_at: null,
    linked_issue_id: null,
    assignee_id: null,
    imported_from: null,
    first_seen_at: group.first_seen_at,
    last_seen_at: group.first_seen_at,
    created_at: group.first_seen_at,
    updated_at: group.first_seen_at,
  };
  assert.match(group.first_seen_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  assert.deepEqual((await project.admin.get(project.groups)).body.data, [expected]);
  const all = await project.admin.get(`/api/error-groups?project_id=${project.id}`);
  assert.deepEqual(all.body.data, [expected]);
});

test("both lists show the most recently seen group first, regardless of the order of creation", async () => {
  const { project, lists } = await bothLists();
  const old = await makeErrorGroup(t.db, project, { last_seen: 3 });
  const newest = await makeErrorGroup(t.db, project, { first_seen: 9, last_seen: 1 });
  const middle = await makeErrorGroup(t.db, project, { last_seen: 2 });
  for (const list of lists)
    assert.deepEqual(ids(await list.get()), [newest.id, middle.id, old.id], list.name);
});

test("a repeated event moves its group to the front of the list", async () => {
  const project = await openProject(t, workspace);
  await project.send({ stack_trace: TRACES.checkout });
  await project.send({ stack_trace: TRACES.search, exception_class: "Second" });
  const classes = async () =>
    ((await project.admin.get(project.groups)).body as ErrorGroupList).data.map((g) => g.exception_class);
  assert.deepEqual(await classes(), ["Second", "RuntimeException"]);
  await project.send({ stack_trace: TRACES.checkout });
  assert.deepEqual(await classes(), ["RuntimeException", "Second"]);
});

test("meta contains the limit, the count, and whether more groups exist", async () => {
  const { project, lists } = await bothLists();
  for (const list of lists)
    assert.deepEqual(await list.get(), {
      data: [],
      meta: { truncated: false, count: 0, limit: 500, next_cursor: null },
    });
  const made: number[] = [];
  for (const last_seen of [3, 2, 1]) made.unshift((await makeErrorGroup(t.db, project, { last_seen })).id);
  for (const list of lists) {
    const one = await list.get({ limit: "1" });
    assert.deepEqual(
      [ids(one), one.meta],
      [made.slice(0, 1), { truncated: true, count: 1, limit: 1, next_cursor: one.meta.next_cursor }],
    );
    const three = await list.get({ limit: "3" });
    assert.deepEqual(
      [ids(three), three.meta],
      [made, { truncated: false, count: 3, limit: 3, next_cursor: null }],
    );
  }
});

test("at most 500 groups are listed, and truncated is true if there is a 501st", async () => {
  const { project, lists } = await bothLists();
  for (let sent = 0; sent < 501; sent += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, 501 - sent) }, (_, n) => project.send(eventOf(10_000 + sent + n))),
    );
  for (const list of lists)
    for (const query of [{}, { limit: "500" }]) {
      const answer = await list.get(query);
      const { next_cursor, ...meta } = answer.meta;
      assert.equal(typeof next_cursor, "string");
      assert.deepEqual(meta, { truncated: true, count: 500, limit: 500 }, list.name);
      const times = answer.data.map((group) => group.last_seen_at);
      assert.deepEqual(times, times.toSorted().toReversed());
      assert.equal(new Set(ids(answer)).size, 500);
    }
});

for (const [query, field] of [
  ["limit=0", "limit"],
  ["limit=501", "limit"],
  ["limit=abc", "limit"],
  ["limit=", "limit"],
  ["limit=1.5", "limit"],
  ["limit=-1", "limit"],
  ["limit=1&limit=2", "limit"],
  ["status=3", "status"],
  ["status=open", "status"],
  ["environment=a&environment=b", "environment"],
] as const)
  test(`?${query} returns 422 on ${field} in both lists`, async () => {
    const project = await openProject(t, workspace);
    for (const url of [project.groups, "/api/error-groups"]) {
      const answer = await project.admin.get(`${url}?${query}`);
      assert.equal(answer.status, 422, url);
      assert.deepEqual(Object.keys(answer.body.errors), [field]);
      assert.equal(typeof answer.body.message, "string");
    }
  });

for (const value of ["abc", "0", "-1", "1.5"])
  test(`?project_id=${value} returns 422 on project_id`, async () => {
    const { project } = await bothLists();
    const answer = await project.admin.get(`/api/error-groups?project_id=${value}`);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["project_id"]]);
  });

for (const [name, message, shown] of [
  ["500 characters stays whole", "m".repeat(500), "m".repeat(500)],
  ["501 characters is cut to 500 and an ellipsis", "m".repeat(501), `${"m".repeat(500)}…`],
  ["500 emoji stays whole", "😀".repeat(500), "😀".repeat(500)],
  ["501 emoji is cut between characters", "😀".repeat(501), `${"😀".repeat(500)}…`],
  ["65,535 bytes is cut like a short one", "é".repeat(32_767), `${"é".repeat(500)}…`],
] as const)
  test(`a listed message of ${name}`, async () => {
    const project = await openProject(t, workspace);
    const group = await project.first({ message });
    assert.equal(group.latest_message, message);
    for (const url of [project.groups, `/api/error-groups?project_id=${project.id}`])
      assert.equal((await project.admin.get(url)).body.data[0].latest_message, shown);
  });

/** The numbers of the groups that match each filter. */
const FILTERED: PastGroup[] = [
  { environment: "production", exception_class: "App\\Timeout", latest_message: "after 30s", status: 0 },
  { environment: "Production", exception_class: "TimeoutError", latest_message: "100% full", status: 1 },
  { environment: "staging", exception_class: "Full", latest_message: "user_id missing", status: 2 },
  { environment: "staging", exception_class: "App/Timeout", latest_message: "userXid 1000 full", status: 0 },
];
FILTERED[0]!.releases = ["1.0", "2.0"];
FILTERED[1]!.releases = ["2.0"];
FILTERED[3]!.releases = ["2.0 ", "%"];

for (const [query, expected] of [
  [{ environment: "staging" }, [2, 3]],
  [{ environment: "production" }, [0]],
  [{ environment: "prod" }, []],
  [{ status: "0" }, [0, 3]],
  [{ status: "1" }, [1]],
  [{ status: "2" }, [2]],
  [{ release: "2.0" }, [0, 1]],
  [{ release: "1.0" }, [0]],
  [{ release: "2.0 " }, [3]],
  [{ release: "%" }, [3]],
  [{ release: "3.0" }, []],
  [{ query: "timeout" }, [0, 1, 3]],
  [{ query: "FULL" }, [1, 2, 3]],
  [{ query: "100%" }, [1]],
  [{ query: "%" }, [1]],
  [{ query: "user_id" }, [2]],
  [{ query: "_" }, [2]],
  [{ query: "App\\" }, [0]],
  [{ query: "\\" }, [0]],
  [{ query: "timeout", environment: "staging" }, [3]],
  [{ release: "2.0", status: "1", environment: "Production", query: "full" }, [1]],
  [{ environment: "", release: "", query: "", status: "" }, [0, 1, 2, 3]],
] as [Record<string, string>, number[]][])
  test(`${new URLSearchParams(query)} matches the groups ${expected.join(", ") || "none"} in both lists`, async () => {
    const { project, lists } = await bothLists();
    const made: number[] = [];
    for (const group of FILTERED) made.push((await makeErrorGroup(t.db, project, group)).id);
    for (const list of lists)
      assert.deepEqual(
        ids(await list.get(query))
          .map((group) => made.indexOf(group))
          .sort(),
        expected,
        list.name,
      );
  });

test("the filter ids selects these groups in both lists, except those that the caller cannot read", async () => {
  const { project, lists } = await bothLists();
  const [first, , third] = [
    (await makeErrorGroup(t.db, project)).id,
    (await makeErrorGroup(t.db, project)).id,
    (await makeErrorGroup(t.db, project)).id,
  ];
  const foreign = (await makeErrorGroup(t.db, await openProject(t, await makeWorkspace(t.db)))).id;
  const query = { ids: `${first},${foreign},${third}` };
  for (const list of lists)
    assert.deepEqual(
      ids(await list.get(query)).toSorted((a, b) => a - b),
      [first, third],
      list.name,
    );
  const everywhere = (await project.admin.get(`/api/error-groups?ids=${first},${foreign}`)).body;
  assert.deepEqual(ids(everywhere), [first]);
  const malformed = await project.admin.get(`${project.groups}?ids=1,x`);
  assert.deepEqual([malformed.status, Object.keys(malformed.body.errors)], [422, ["ids"]]);
});

test("a text is found in the messages of several projects, page by page and with other filters", async () => {
  const own = await makeWorkspace(t.db);
  const [one, two] = [await openProject(t, own), await openProject(t, own)];
  const made: number[] = [];
  for (const [project, message, status] of [
    [one, "100% full", 0],
    [two, "disk is 100% FULL", 0],
    [one, "1000 are full", 0],
    [two, "100% full again", 1],
    [one, "100% full at last", 0],
  ] as const) {
    const { id } = await makeErrorGroup(t.db, project, { status, last_seen: 10 - made.length });
    await t.db.updateTable("error_groups").set({ latest_message: message }).where("id", "=", id).execute();
    made.push(id);
  }
  const [first, second, , resolved, last] = made;
  const read = async (query: Record<string, string>): Promise<ErrorGroupList> =>
    (await one.admin.get(`/api/error-groups?${new URLSearchParams({ query: "100% full", ...query })}`)).body;
  assert.deepEqual(ids(await read({})), [last, resolved, second, first]);
  assert.deepEqual(ids(await read({ status: "0", sort: "first_seen" })).toSorted(), [first, second, last]);
  const page = await read({ limit: "3" });
  assert.deepEqual(ids(page), [last, resolved, second]);
  assert.deepEqual(ids(await read({ cursor: page.meta.next_cursor ?? "" })), [first]);
  assert.deepEqual(ids(await read({ query: "no such text" })), []);
});

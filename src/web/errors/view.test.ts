import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import {
  hotDays,
  isFiltered,
  leaves,
  listFilter,
  listSearch,
  serverFilter,
  shownGroups,
  tabCounts,
  tabOf,
  utcDays,
} from "./view.ts";

const group = (id: number, overrides: Partial<ErrorGroupListItem> = {}) =>
  ({
    id,
    status: 0,
    regressed_at: null,
    occurrence_count: id,
    affected_users: null,
    first_seen_at: `2026-11-${10 + id}T00:00:00.000000+00:00`,
    last_seen_at: `2026-11-${20 - id}T00:00:00.000000+00:00`,
    ...overrides,
  }) as ErrorGroupListItem;
const ids = (groups: ErrorGroupListItem[]) => groups.map(({ id }) => id);

const groups = [
  group(1, { affected_users: 5 }),
  group(2, { status: 1 }),
  group(3, { regressed_at: "2026-11-19T12:00:00.000000+00:00" }),
  group(4, { status: 2 }),
  group(5, { affected_users: 9 }),
];

test("the open tab includes regressed groups, and status 0 is counted", () => {
  assert.deepEqual(tabCounts(groups), { open: 3, regressed: 1, resolved: 1, ignored: 1, all: 5 });
  assert.deepEqual(ids(shownGroups(groups, { tab: "regressed" })), [3]);
});

test("a complete list of one status counts only the tabs of that status", () => {
  assert.deepEqual(tabCounts(groups, "open"), { open: 3, regressed: 1 });
  assert.deepEqual(tabCounts(groups, "regressed"), { regressed: 1 });
  assert.deepEqual(tabCounts([], "ignored"), { ignored: 0 });
});

test("a group leaves its tab when its new status does not belong there", () => {
  const open = group(1, {});
  const regressed = group(2, { regressed_at: "2026-11-20T00:00:00+00:00" });
  assert.equal(leaves(open, 1, {}), true);
  assert.equal(leaves(open, 1, { tab: "all" }), false);
  assert.equal(leaves(regressed, 0, { tab: "regressed" }), true);
  assert.equal(leaves(regressed, 0, {}), false);
  assert.equal(leaves(open, 0, {}), false);
});

test("an unknown tab or order falls back to the default", () => {
  assert.equal(tabOf({ tab: "constructor" }), "open");
  assert.deepEqual(ids(shownGroups(groups, { tab: "nope" })), [1, 3, 5]);
});

test("filters and order go to the server, except what it would refuse", () => {
  assert.deepEqual(
    serverFilter({
      query: "needle",
      level: "fatal",
      regressed: "false",
      assignee: "me",
      first_release: "4.1.0",
      tag: "plan:pro:x",
      sort: "impact",
      direction: "asc",
    }),
    {
      query: "needle",
      level: "fatal",
      regressed: false,
      assignee_id: "me",
      first_release: "4.1.0",
      tag: "plan:pro:x",
      sort: "impact",
      direction: "asc",
    },
  );
  assert.deepEqual(
    serverFilter({
      level: "loud",
      regressed: "maybe",
      assignee: "Ada",
      tag: "plan",
      sort: "toString",
      direction: "up",
      query: "",
    }),
    {},
  );
  assert.deepEqual(serverFilter({ assignee: "12", sort: "last_seen", tab: "all" }), { assignee_id: "12" });
});

const projects = [{ id: 7, key: "WEB" }] as Project[];

test("the list of all projects can be limited to one", () => {
  assert.deepEqual(listFilter({ project: "WEB", query: "needle" }, { project: null, projects }), {
    query: "needle",
    project_id: 7,
  });
});

test("a project that the user cannot access is not a filter", () => {
  assert.deepEqual(listFilter({ project: "OPS" }, { project: null, projects }), {});
});

test("the list of one project ignores a project in the address", () => {
  assert.deepEqual(listFilter({ project: "WEB" }, { project: projects[0]!, projects }), {});
});

test("a link to a group keeps the view but not the preview or empty parameters", () => {
  const search = { tab: "all", query: "", peek: "12" };
  assert.deepEqual(listSearch(search, false), { tab: "all" });
});

test("a link from the list of all projects says where it comes from", () => {
  assert.deepEqual(listSearch({ tab: "all" }, true), { tab: "all", from: "all" });
});

test("a tab or an order is not a filter", () => {
  assert.equal(isFiltered({ tab: "all", sort: "users", direction: "asc" }), false);
  assert.equal(isFiltered({ query: "" }), false);
  assert.equal(isFiltered({ release: "1.0" }), true);
  assert.equal(isFiltered({ assignee: "none" }), true);
});

test("days are UTC days, and those since a regression are highlighted", () => {
  const days = utcDays(3, Date.parse("2026-11-20T23:30:00-05:00"));
  assert.deepEqual(days, ["2026-11-19", "2026-11-20", "2026-11-21"]);
  assert.deepEqual([...hotDays(group(1, { regressed_at: "2026-11-20T00:00:00+00:00" }), days)], [1, 2]);
  assert.deepEqual(
    [...hotDays(group(1, { status: 1, regressed_at: "2026-11-20T00:00:00+00:00" }), days)],
    [],
  );
});

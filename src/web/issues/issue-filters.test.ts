import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import { inState, isFiltered, matcher } from "./issue-filters.ts";
import type { IssueReferences } from "../data/projects/use-issue-names.ts";
import { groupIssues, sortIssues } from "./issue-groups.ts";

const issue = (fields: Partial<Issue>): Issue => ({
  id: 1,
  key: "WEB-1",
  project_id: 1,
  title: "Basket forgets its items",
  description: null,
  type: 0,
  priority: 0,
  lane_id: 1,
  rank: "a",
  assignee_id: null,
  created_by: null,
  sprint_id: null,
  epic_id: null,
  estimated_minutes: null,
  label_ids: [],
  blocked_by_ids: [],
  blocks_ids: [],
  relates_to_ids: [],
  due_on: null,
  parent_id: null,
  duplicate_of_id: null,
  sub_issue_counts: { total: 0, done: 0 },
  report_ids: [],
  voices: 0,
  duplicate_report_ids: [],
  error_group_id: null,
  error_group_ids: [],
  git_links: [],
  comments_count: 0,
  tasks: null,
  attachments: [],
  watching: false,
  created_at: "2026-11-01T10:00:00.000000Z",
  updated_at: "2026-11-01T10:00:00.000000Z",
  closed_at: null,
  imported_from: null,
  ...fields,
});

const ME = 7;
const passes = (view: Parameters<typeof matcher>[0], fields: Partial<Issue>) =>
  matcher(view, ME, "2026-11-20")(issue(fields));

test("0 is a value: filters distinguish the highest priority and the type feature", () => {
  assert.equal(passes({ priority: "0" }, { priority: 0 }), true);
  assert.equal(passes({ priority: "0" }, { priority: 1 }), false);
  assert.equal(passes({ type: "0" }, { type: 1 }), false);
  assert.equal(isFiltered({ type: "0" }), true);
});

test("a filter matches any of its values, and an issue must match all filters", () => {
  assert.equal(passes({ priority: "1,3" }, { priority: 3 }), true);
  assert.equal(passes({ priority: "1,3", lane: "2" }, { priority: 3 }), false);
});

test("the due filter matches overdue open issues, those due today or within 7 days, and those without a due date", () => {
  const matched = (due_on: string | null, fields: Partial<Issue> = {}) =>
    ["overdue", "today", "week", "none"].filter((due) => passes({ due }, { due_on, ...fields }));
  assert.deepEqual(matched("2026-11-19"), ["overdue"]);
  assert.deepEqual(matched("2026-11-19", { closed_at: "2026-11-20T10:00:00.000000Z" }), []);
  assert.deepEqual(matched("2026-11-20"), ["today", "week"]);
  assert.deepEqual(matched("2026-11-26"), ["week"]);
  assert.deepEqual(matched("2026-11-27"), []);
  assert.deepEqual(matched(null), ["none"]);
  assert.equal(passes({ parent: "4" }, { parent_id: 4 }), true);
  assert.equal(passes({ parent: "4" }, { parent_id: null }), false);
});

test("me and none match an assignee; none matches a missing epic, sprint or label", () => {
  assert.equal(passes({ assignee: "me" }, { assignee_id: ME }), true);
  assert.equal(passes({ assignee: "me" }, { assignee_id: 8 }), false);
  assert.equal(passes({ assignee: "none" }, {}), true);
  assert.equal(passes({ epic: "none" }, { epic_id: 3 }), false);
  assert.equal(passes({ epic: "me" }, { epic_id: ME }), false);
  assert.equal(passes({ label: "none" }, {}), true);
  assert.equal(passes({ label: "4,5" }, { label_ids: [1, 5] }), true);
});

test("every word of the text must be in the key or the title", () => {
  assert.equal(passes({ query: "ITEMS web-1" }, {}), true);
  assert.equal(passes({ query: "items web-2" }, {}), false);
});

test("the state is open by default", () => {
  const closed = issue({ closed_at: "2026-11-02T00:00:00Z" });
  assert.deepEqual(
    [undefined, "closed", "all"].map((state) => [inState(issue({}), state), inState(closed, state)]),
    [
      [true, false],
      [false, true],
      [true, true],
    ],
  );
});

const issueNames: IssueReferences = {
  lanes: [],
  labels: [],
  epics: [],
  sprints: [],
  people: [{ id: 8, name: "Bo" }],
  projects: [],
  priorities: ["Highest", "High"],
};

test("groups keep their order, without empty ones, and a former member has a group too", () => {
  const all = [issue({ id: 1 }), issue({ id: 2, assignee_id: 8 }), issue({ id: 3, assignee_id: 99 })];
  assert.deepEqual(
    groupIssues(all, "assignee", issueNames).map(({ name, issues }) => [name, issues.length]),
    [
      ["Bo", 1],
      ["Nobody", 1],
      ["Unknown", 1],
    ],
  );
  assert.deepEqual(
    groupIssues(all, "priority", issueNames).map(({ id, name }) => [id, name]),
    [[0, "Highest"]],
  );
});

test("issues are sorted by urgency, then newest first", () => {
  const old = issue({ id: 1, priority: 1 });
  const fresh = issue({ id: 2, priority: 1, created_at: "2026-11-05T00:00:00.000000Z" });
  const urgent = issue({ id: 3, priority: 0 });
  assert.deepEqual(
    sortIssues([old, fresh, urgent], "priority").map(({ id }) => id),
    [3, 2, 1],
  );
});

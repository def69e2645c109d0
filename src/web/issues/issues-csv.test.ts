import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import { issuesCsv } from "./issues-csv.ts";

const issues = (count: number) => Array.from({ length: count }, (_, n) => ({ id: n + 1 }) as Issue);
const of = (count: number) => ({ shown: issues(count), loaded: issues(count) });

test("filters by ids are left to the server, with all their values", () => {
  const href = (view: Parameters<typeof issuesCsv>[1]) => issuesCsv(7, view, of(3));
  assert.deepEqual(href({}), { href: "/api/projects/7/issues?closed=false&format=csv" });
  assert.deepEqual(href({ state: "all", assignee: "me,3", label: "4,none" }), {
    href: "/api/projects/7/issues?assignee_id=me%2C3&label_id=4%2Cnone&format=csv",
  });
  assert.deepEqual(issuesCsv(7, { state: "closed" }, { shown: [], loaded: undefined }), {
    href: "/api/projects/7/issues?closed=true&format=csv",
  });
});

test("the issues that match a text or a due date are saved by the page, if it has all issues", () => {
  for (const view of [{ query: "cart" }, { due: "week" }]) {
    assert.ok("save" in issuesCsv(7, view, of(300)));
    assert.ok("hint" in issuesCsv(7, view, of(0)));
    assert.ok("hint" in issuesCsv(7, view, { shown: issues(3), loaded: issues(2_000) }));
  }
});

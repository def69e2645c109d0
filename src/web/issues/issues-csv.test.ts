import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import { issuesCsv } from "./issues-csv.ts";

const issues = (count: number) => Array.from({ length: count }, (_, n) => ({ id: n + 1 }) as Issue);

test("filters with one value each are left to the server", () => {
  assert.equal(issuesCsv(7, {}, issues(3)), "/api/projects/7/issues?closed=false&format=csv");
  assert.equal(
    issuesCsv(7, { state: "all", assignee: "me", label: "4" }, issues(3)),
    "/api/projects/7/issues?assignee_id=me&label_id=4&format=csv",
  );
  assert.equal(issuesCsv(7, { state: "closed" }, undefined), "/api/projects/7/issues?closed=true&format=csv");
});

test("with other filters, the ids of the shown issues select them, unless they are too many", () => {
  const view = { assignee: "3,none" };
  assert.equal(issuesCsv(7, view, issues(2)), "/api/projects/7/issues?ids=1%2C2&format=csv");
  assert.equal(issuesCsv(7, view, issues(201)), undefined);
  assert.equal(issuesCsv(7, { query: "cart" }, []), undefined);
});

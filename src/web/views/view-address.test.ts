import assert from "node:assert/strict";
import { test } from "node:test";
import type { SavedView } from "../../shared/saved-views.ts";
import { pathOf, searchOf } from "./view-address.ts";

const view = (fields: Partial<SavedView>) => ({ issue_key: null, epic_id: null, ...fields }) as SavedView;

test("each kind of view opens its page", () => {
  assert.equal(pathOf(view({ page: "my-issues" }), ""), "/my-issues");
  assert.equal(pathOf(view({ page: "all-errors" }), ""), "/errors");
  assert.equal(pathOf(view({ page: "search", project_id: 5 }), "WEB"), "/search");
  assert.equal(pathOf(view({ page: "triage" }), "WEB"), "/projects/WEB/triage");
  assert.equal(pathOf(view({ page: "issue", issue_key: "WEB-3" }), "WEB"), "/projects/WEB/issues/WEB-3");
  assert.equal(pathOf(view({ page: "epic", epic_id: 4 }), "WEB"), "/projects/WEB/epics/4");
});

test("a view stores the filters in one order, without empty ones and without what is open beside the list", () => {
  assert.equal(
    searchOf({ sort: "priority", peek: "WEB-1", label: "", query: "a & b" }),
    "query=a+%26+b&sort=priority",
  );
  assert.equal(searchOf({}), "");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SavedView } from "../../shared/saved-views.ts";
import { pathOf, searchOf, viewAt } from "./view-address.ts";

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

test("an address shows the view whose filters it has, whatever is open beside the list", () => {
  const keyOf = () => "WEB";
  const urgent = view({ id: 1, page: "issues", project_id: 5, search: "sort=rank&priority=0" });
  const all = view({ id: 2, page: "issues", project_id: 5, search: "" });
  const favorite = view({ id: 3, page: "issue", project_id: 5, issue_key: "WEB-3", search: "" });
  const at = (pathname: string, search = {}) =>
    viewAt({ pathname, search }, [urgent, all, favorite], keyOf)?.id;
  assert.equal(at("/projects/WEB/issues", { priority: "0", sort: "rank", peek: "WEB-1" }), 1);
  assert.equal(at("/projects/WEB/issues", { priority: "0" }), undefined);
  assert.equal(at("/projects/WEB/issues"), 2);
  assert.equal(at("/projects/WEB/board"), undefined);
  assert.equal(at("/projects/WEB/issues/WEB-3", { tab: "history" }), 3);
  assert.equal(at("/projects/WEB/issues/WEB-4"), undefined);
});

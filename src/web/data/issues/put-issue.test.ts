import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../../shared/issues.ts";
import { QueryClient } from "@tanstack/react-query";
import { belongsIn, dropIssue, withIssue } from "./put-issue.ts";

const issue = (id: number, fields: Partial<Issue> = {}) =>
  ({
    id,
    created_at: `2026-11-0${id}T00:00:00.000Z`,
    epic_id: null,
    sprint_id: null,
    assignee_id: null,
    ...fields,
  }) as Issue;

const ids = (list: readonly Issue[]) => list.map(({ id }) => id);

test("an issue is added newest first, or replaces its older version", () => {
  const list = [issue(5), issue(3), issue(1)];
  assert.deepEqual(ids(withIssue(list, issue(6))), [6, 5, 3, 1]);
  assert.deepEqual(ids(withIssue(list, issue(2))), [5, 3, 2, 1]);
  assert.deepEqual(ids(withIssue([], issue(2))), [2]);
  assert.equal(withIssue(list, issue(3, { epic_id: 7 }))[1]?.epic_id, 7);
});

test("issues created at the same time are ordered by id, highest first", () => {
  const at = { created_at: "2026-11-01T00:00:00.000Z" };
  assert.deepEqual(ids(withIssue([issue(5, at), issue(1, at)], issue(3, at))), [5, 3, 1]);
});

test("simple filters decide which lists an issue belongs in", () => {
  const mine = issue(1, { assignee_id: 9, epic_id: 7 });
  assert.equal(belongsIn({}, mine, 9), true);
  assert.equal(belongsIn({ sort: "-created_at" }, mine, 9), true);
  assert.equal(belongsIn({ assignee_id: "me" }, mine, 9), true);
  assert.equal(belongsIn({ assignee_id: "me" }, mine, 8), false);
  assert.equal(belongsIn({ epic_id: "7" }, mine, 9), true);
  assert.equal(belongsIn({ sprint_id: "7" }, mine, 9), false);
  assert.equal(belongsIn({ sprint_id: "none" }, mine, 9), true);
});

test("with a search or another order, only the server can decide", () => {
  assert.equal(belongsIn({ query: "cart" }, issue(1), 9), undefined);
  assert.equal(belongsIn({ sort: "rank" }, issue(1), 9), undefined);
});

test("a deleted issue leaves every list, and its page is refetched, even if another list has not been loaded", () => {
  const client = new QueryClient();
  client.getQueryCache().build(client, { queryKey: ["issue", 1, "list", {}] });
  client.setQueryData(["issue", 1, "list", { sort: "-created_at" }], [issue(1), issue(2)]);
  client.setQueryData(["issue", 1, "one", "WEB-1"], issue(1));
  dropIssue(client, 1, 1);
  assert.deepEqual(client.getQueryData(["issue", 1, "list", { sort: "-created_at" }]), [issue(2)]);
  assert.equal(client.getQueryState(["issue", 1, "one", "WEB-1"])?.isInvalidated, true);
});

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import type { Comment } from "../../../shared/comments.ts";
import type { Issue } from "../../../shared/issues.ts";
import { memberId } from "./cached-copies.ts";
import { patchEverywhere, removeEverywhere } from "./patch-everywhere.ts";

let client = new QueryClient();
beforeEach(() => {
  client = new QueryClient();
});
afterEach(() => client.clear());

const issue = (id: number, fields: Partial<Issue> = {}) =>
  ({ id, project_id: 1, title: `Issue ${id}`, lane_id: 10, label_ids: [], ...fields }) as unknown as Issue;

const LIST = ["issue", 1, "list", {}];
const MINE = ["issue", null, "list", { assignee_id: "me" }];
const ONE = ["issue", 1, "one", "WEB-1"];

const issuesAt = (key: unknown[]) => [client.getQueryData<Issue | Issue[]>(key)].flat();
const laneAt = (key: unknown[], id = 1) => issuesAt(key).find((one) => one?.id === id)?.lane_id;
const titleAt = (key: unknown[], id = 1) => issuesAt(key).find((one) => one?.id === id)?.title;

function fillIssues() {
  client.setQueryData(LIST, [issue(1), issue(2)]);
  client.setQueryData(MINE, [issue(1)]);
  client.setQueryData(ONE, issue(1));
}

test("a patch changes the copies in lists and details, and undo restores them", () => {
  fillIssues();
  const undo = patchEverywhere(client, "issue", 1, { lane_id: 20 });
  assert.deepEqual([laneAt(LIST), laneAt(MINE), laneAt(ONE), laneAt(LIST, 2)], [20, 20, 20, 10]);
  undo();
  assert.deepEqual(client.getQueryData(LIST), [issue(1), issue(2)]);
  assert.deepEqual([laneAt(MINE), laneAt(ONE)], [10, 10]);
});

test("a patch changes the copies in every page of an infinite query", () => {
  const comment = (id: number) => ({ id, content: "", is_pinned: false }) as Comment;
  const key = ["comment", 1, "issues", 5];
  const page = (...ids: number[]) => ({ data: ids.map(comment), meta: { next_cursor: null, count: 3 } });
  client.setQueryData(key, { pages: [page(1, 2), page(3)], pageParams: [undefined, "b"] });
  const before = client.getQueryData(key);
  const pinned = () =>
    client
      .getQueryData<{ pages: { data: Comment[] }[] }>(key)
      ?.pages.flatMap(({ data }) => data.filter(({ is_pinned }) => is_pinned).map(({ id }) => id));
  const undo = patchEverywhere(client, "comment", new Set([2, 3]), { is_pinned: true });
  assert.deepEqual(pinned(), [2, 3]);
  undo();
  assert.deepEqual(client.getQueryData(key), before);
});

test("rows of other kinds with the same id are left alone", () => {
  const activity = [{ id: 1, kind: "moved" }];
  client.setQueryData(["issue", 1, "activity", 1], activity);
  client.setQueryData(["report", 1, "list"], [{ id: 1, lane_id: 10 }]);
  patchEverywhere(client, "issue", 1, { lane_id: 20 });
  assert.deepEqual(client.getQueryData(["issue", 1, "activity", 1]), activity);
  assert.deepEqual(client.getQueryData(["report", 1, "list"]), [{ id: 1, lane_id: 10 }]);
});

test("a member is patched in one project only", () => {
  const row = { user_id: 7, role_id: 1 };
  for (const projectId of [1, 2]) client.setQueryData(["member", projectId], [row]);
  patchEverywhere(client, "member", memberId(2, 7), { role_id: 3 });
  assert.deepEqual(client.getQueryData(["member", 1]), [row]);
  assert.deepEqual(client.getQueryData(["member", 2]), [{ user_id: 7, role_id: 3 }]);
});

test("undo leaves the fields that it did not patch", () => {
  fillIssues();
  const undo = patchEverywhere(client, "issue", 1, { lane_id: 20 });
  client.setQueryData(LIST, [issue(1, { lane_id: 20, title: "Renamed" }), issue(2)]);
  undo();
  assert.deepEqual([laneAt(LIST), titleAt(LIST)], [10, "Renamed"]);
});

test("undo leaves a field that a refetch has changed since", () => {
  fillIssues();
  const undo = patchEverywhere(client, "issue", 1, { lane_id: 20 });
  client.setQueryData(LIST, [issue(1, { lane_id: 30 }), issue(2)]);
  undo();
  assert.deepEqual([laneAt(LIST), laneAt(ONE)], [30, 10]);
});

test("undo leaves a later patch in effect, even if both set the same value", () => {
  fillIssues();
  const first = patchEverywhere(client, "issue", 1, { lane_id: 20 });
  patchEverywhere(client, "issue", 1, { lane_id: 10 });
  patchEverywhere(client, "issue", 1, { lane_id: 20 });
  first();
  assert.equal(laneAt(LIST), 20);
});

for (const order of ["first to last", "last to first"])
  test(`two patches of a field undone ${order} restore the value from before both`, () => {
    fillIssues();
    const first = patchEverywhere(client, "issue", 1, { lane_id: 20 });
    const second = patchEverywhere(client, "issue", 1, { lane_id: 30 });
    const undos = order === "first to last" ? [first, second] : [second, first];
    undos[0]!();
    assert.equal(laneAt(LIST), order === "first to last" ? 30 : 20);
    undos[1]!();
    assert.equal(laneAt(LIST), 10);
  });

test("a later patch of another issue does not hold back undo", () => {
  fillIssues();
  const undo = patchEverywhere(client, "issue", 1, { lane_id: 20 });
  patchEverywhere(client, "issue", 2, { lane_id: 20 });
  undo();
  assert.deepEqual([laneAt(LIST, 1), laneAt(LIST, 2)], [10, 20]);
});

test("an older value that a refetch brought in between is not overwritten by the undo of the patch before it", () => {
  fillIssues();
  const first = patchEverywhere(client, "issue", 1, { lane_id: 20 });
  client.setQueryData(LIST, [issue(1, { lane_id: 40 }), issue(2)]);
  const second = patchEverywhere(client, "issue", 1, { lane_id: 30 });
  first();
  second();
  assert.equal(laneAt(LIST), 40);
});

test("undo of some entities restores only those, and undo of all restores the rest", () => {
  fillIssues();
  const undo = patchEverywhere(client, "issue", new Set([1, 2]), { lane_id: 20 });
  undo(new Set([2]));
  assert.deepEqual([laneAt(LIST, 1), laneAt(LIST, 2)], [20, 10]);
  undo();
  assert.deepEqual([laneAt(LIST, 1), laneAt(LIST, 2)], [10, 10]);
});

test("calling undo twice does not undo what happened in between", () => {
  fillIssues();
  const undo = patchEverywhere(client, "issue", 1, { lane_id: 20 });
  undo();
  client.setQueryData(LIST, [issue(1, { lane_id: 20 }), issue(2)]);
  undo();
  assert.equal(laneAt(LIST), 20);
});

test("undo skips entities and queries that no longer exist", () => {
  fillIssues();
  const undo = patchEverywhere(client, "issue", 1, { lane_id: 20 });
  client.setQueryData(LIST, [issue(2)]);
  client.removeQueries({ queryKey: MINE });
  undo();
  assert.deepEqual(client.getQueryData(LIST), [issue(2)]);
  assert.equal(client.getQueryData(MINE), undefined);
  assert.equal(laneAt(ONE), 10);
});

test("lists of values are compared by content", () => {
  client.setQueryData(LIST, [issue(1, { label_ids: [1] })]);
  const undo = patchEverywhere(client, "issue", 1, { label_ids: [1, 2] });
  client.setQueryData(LIST, [issue(1, { label_ids: [1, 2], title: "Renamed" })]);
  undo();
  assert.deepEqual(issuesAt(LIST)[0]?.label_ids, [1]);
});

test("the change is computed from each copy and the list around it", () => {
  client.setQueryData(LIST, [issue(1), issue(2)]);
  patchEverywhere(client, "issue", 2, ({ title }, all) => ({ title: `${title} of ${all.length}` }));
  assert.equal(titleAt(LIST, 2), "Issue 2 of 2");
});

test("a patched query keeps the time it was read, and stays stale if it was", async () => {
  client.setQueryData(LIST, [issue(1)], { updatedAt: 1_000 });
  await client.invalidateQueries({ queryKey: LIST, refetchType: "none" });
  patchEverywhere(client, "issue", 1, { lane_id: 20 });
  const state = client.getQueryState(LIST);
  assert.deepEqual([state?.dataUpdatedAt, state?.isInvalidated, laneAt(LIST)], [1_000, true, 20]);
});

test("a patch without effect does not notify anybody", () => {
  fillIssues();
  const events: string[] = [];
  const stop = client.getQueryCache().subscribe(({ type }) => events.push(type));
  patchEverywhere(client, "issue", 1, { lane_id: 10 });
  patchEverywhere(client, "issue", 99, { lane_id: 20 });
  stop();
  assert.deepEqual(events, []);
});

test("a removed entity leaves every list; its detail stays", () => {
  fillIssues();
  removeEverywhere(client, "issue", 1);
  assert.deepEqual([issuesAt(LIST).length, issuesAt(MINE).length, issuesAt(ONE).length], [1, 0, 1]);
});

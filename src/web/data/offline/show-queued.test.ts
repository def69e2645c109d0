import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import { type QueuedChange, queuedChanges } from "./queued-changes.ts";
import { hideChange, keepShowing, withoutEarlier } from "./show-queued.ts";

const PROJECT = 7;
const LIST = ["issue", PROJECT, "list", {}];

/** A change of the priority and maybe of other fields of issue 1. */
const aChange = (id: number, before: object, after: object): QueuedChange => ({
  id,
  user_id: 1,
  created_at: "2026-11-29T08:00:00.000Z",
  title: "WEB-1: priority",
  page: "/projects/WEB/issues/WEB-1",
  key: String(id),
  request: { method: "PATCH", path: "/api/projects/7/issues/1", body: after },
  shows: {
    kind: "issue",
    items: [{ id: 1, project_id: PROJECT, before, after }],
    compared: Object.keys(after),
  },
});

const clientWith = (...issues: object[]) => {
  const client = new QueryClient();
  client.setQueryData(LIST, issues);
  return client;
};
const issueIn = (client: QueryClient) => client.getQueryData<object[]>(LIST)?.[0];

beforeEach(() => queuedChanges.set([]));

test("waiting changes are shown in copies that are read later, the latest change last", () => {
  const client = clientWith({ id: 1, priority: 2, lane_id: 5 }, { id: 2, priority: 2, lane_id: 5 });
  queuedChanges.set([
    aChange(1, { priority: 2, lane_id: 5 }, { priority: 1, lane_id: 6 }),
    aChange(2, { priority: 1 }, { priority: 0 }),
  ]);
  const stop = keepShowing(client);
  assert.deepEqual(issueIn(client), { id: 1, priority: 0, lane_id: 6 });
  client.setQueryData(LIST, [
    { id: 1, priority: 2, lane_id: 5, title: "New" },
    { id: 2, priority: 2, lane_id: 5 },
  ]);
  assert.deepEqual(client.getQueryData(LIST), [
    { id: 1, priority: 0, lane_id: 6, title: "New" },
    { id: 2, priority: 2, lane_id: 5 },
  ]);
  stop();
  client.setQueryData(LIST, [{ id: 1, priority: 2, lane_id: 5 }]);
  assert.deepEqual(issueIn(client), { id: 1, priority: 2, lane_id: 5 });
});

test("hiding a change keeps the fields that a later change has set", () => {
  const client = clientWith({ id: 1, priority: 0, lane_id: 6 });
  const first = aChange(1, { priority: 2, lane_id: 5 }, { priority: 1, lane_id: 6 });
  queuedChanges.set([aChange(2, { priority: 1 }, { priority: 0 })]);
  hideChange(client, first);
  assert.deepEqual(issueIn(client), { id: 1, priority: 0, lane_id: 5 });
});

test("without an earlier change, the next change of a field replaces what the earlier one replaced", () => {
  const first = aChange(1, { priority: 2 }, { priority: 1 });
  const second = aChange(2, { priority: 1, lane_id: 5 }, { priority: 0, lane_id: 6 });
  const third = aChange(3, { priority: 0 }, { priority: 3 });
  queuedChanges.set([first, second, third]);
  const befores = withoutEarlier(first).map(
    ({ shows }) => shows.kind !== "comment" && shows.items[0]?.before,
  );
  assert.deepEqual(befores, [{ priority: 2, lane_id: 5 }, { priority: 0 }]);
});

test("a rejected change is not shown", () => {
  const client = clientWith({ id: 1, priority: 2 });
  queuedChanges.set([{ ...aChange(1, { priority: 2 }, { priority: 1 }), refusal: "No." }]);
  keepShowing(client)();
  assert.deepEqual(issueIn(client), { id: 1, priority: 2 });
});

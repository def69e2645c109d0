import assert from "node:assert/strict";
import { test } from "node:test";
import { viewOf } from "./inbox-view.ts";

const queryOf = (search: Parameters<typeof viewOf>[0]) =>
  Object.fromEntries(Object.entries(viewOf(search).query).filter(([, value]) => value !== undefined));

test("the inbox lists unread entries by default", () => {
  assert.deepEqual(queryOf({}), { unread: true });
});

test("the view of snoozed entries asks for those only", () => {
  assert.deepEqual(queryOf({ filter: "snoozed" }), { snoozed: true });
});

test("the view of all entries has no filter", () => {
  assert.deepEqual(queryOf({ filter: "all" }), {});
});

test("an unknown filter lists unread entries and is dropped from the address", () => {
  assert.deepEqual(queryOf({ filter: "starred" }), { unread: true });
  assert.deepEqual(viewOf({ filter: "starred" }).filters, {});
});

test("type and project narrow every view", () => {
  assert.deepEqual(queryOf({ filter: "all", type: "4", project: "7" }), { type: "4", project_id: "7" });
  assert.deepEqual(queryOf({ type: "4", project: "7" }), { unread: true, type: "4", project_id: "7" });
});

test("the open entry is not one of the filters", () => {
  const { filters, opened } = viewOf({ filter: "snoozed", type: "4", item: "12" });
  assert.deepEqual(filters, { filter: "snoozed", type: "4" });
  assert.equal(opened, 12);
});

test("without an entry in the address nothing is open", () => {
  assert.equal(viewOf({}).opened, null);
});

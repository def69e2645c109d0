import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportedErrorGroup } from "../import/item.ts";
import { compareGroups, type MatchedGroup } from "./match-groups.ts";
import type { OwnGroup } from "./own-groups.ts";

const own = (id: number, count: number, message = `m${id}`): OwnGroup => ({
  id,
  exception_class: "Error",
  message,
  count,
});

const peer = (id: string, count: number | null, here: OwnGroup[], message = `peer ${id}`): MatchedGroup => ({
  group: {
    item: "error_group",
    ref: { id, url: null },
    exception_class: "Error",
    message,
    occurrence_count: count ?? 0,
  } as ImportedErrorGroup,
  count,
  here,
});

test("one group there is compared with the sum of our groups, one for each environment", () => {
  const [production, staging] = [own(1, 60), own(2, 40)];
  const { different_counts, matched } = compareGroups(
    [peer("a", 100, [production, staging])],
    [production, staging],
  );
  assert.deepEqual([different_counts, matched], [[], 1]);
});

test("groups there that are one of ours are compared by their sum", () => {
  const group = own(1, 100);
  assert.deepEqual(
    compareGroups([peer("a", 60, [group]), peer("b", 40, [group])], [group]).different_counts,
    [],
  );
});

test("counts differ beyond five percent", () => {
  const group = own(1, 100);
  const differs = (count: number) =>
    compareGroups([peer("a", count, [group])], [group]).different_counts.length > 0;
  assert.deepEqual([95, 94, 105, 106].map(differs), [false, true, false, true]);
});

test("what no event tells is matched by class and message, unless an event belongs to the group", () => {
  const [first, second] = [own(1, 5, "same"), own(2, 5, "same")];
  const { only_there, only_here, matched } = compareGroups(
    [peer("a", 5, [first], "same"), peer("b", 5, [], "same"), peer("c", 5, [], "other")],
    [first, second],
  );
  assert.deepEqual([matched, only_there.map(({ id }) => id), only_here], [2, ["c"], []]);
});

test("a group whose events could not be counted is listed, and not as different", () => {
  const group = own(1, 100);
  const { different_counts, not_counted } = compareGroups([peer("a", null, [group])], [group]);
  assert.deepEqual([different_counts, not_counted.map(({ id }) => id)], [[], ["a"]]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { suggestedTarget, tooManyMoved } from "./merge-limit.ts";

const group = (id: number, affected_users: number | null, occurrence_count = 1) => ({
  id,
  affected_users,
  occurrence_count,
});

test("a merge that moves more users than the limit says so and how to avoid it", () => {
  const groups = [group(1, 60_000), group(2, 12), group(3, null)];
  assert.equal(tooManyMoved(groups, 1), undefined);
  assert.equal(
    tooManyMoved(groups, 2),
    "The other errors have 60,000 users, and a merge moves at most 50,000. Merge into the error that has the most.",
  );
  assert.equal(
    tooManyMoved([group(1, 60_000), group(2, 70_000)], 2),
    "The other error has 60,000 users, and a merge moves at most 50,000.",
  );
});

test("the suggested target has the most events, or the most users if these are too many to move", () => {
  assert.equal(suggestedTarget([group(1, 50_000, 5), group(2, 3, 9)])?.id, 2);
  assert.equal(suggestedTarget([group(1, 50_001, 5), group(2, 3, 9)])?.id, 1);
});

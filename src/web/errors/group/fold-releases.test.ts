import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import { foldReleases } from "./fold-releases.ts";

let ids = 0;
const entry = (kind: ErrorGroupActivity["kind"], to: string): ErrorGroupActivity => ({
  id: ++ids,
  actor_id: null,
  kind,
  from: null,
  to,
  created_at: "2026-11-20T10:00:00.000000Z",
});

const folded = (...history: ErrorGroupActivity[]) => foldReleases(history).map(({ kind, to }) => [kind, to]);
const seenIn = (...releases: string[]) => releases.map((release) => entry("first_in_release", release));

test("a release that a regression names is not in the history twice", () => {
  assert.deepEqual(folded(entry("regressed", "1.1"), ...seenIn("1.1", "1.2")), [
    ["regressed", "1.1"],
    ["first_in_release", "1.2"],
  ]);
});

test("releases in a row are one entry, which names the first three of many", () => {
  assert.deepEqual(folded(...seenIn("1", "2", "3", "4"), entry("regressed", "5"), ...seenIn("6")), [
    ["first_in_release", "1, 2, 3 and 4"],
    ["regressed", "5"],
    ["first_in_release", "6"],
  ]);
  assert.deepEqual(folded(...seenIn("1", "2", "3", "4", "5")), [
    ["first_in_release", "1, 2, 3 and 2 more releases"],
  ]);
});

test("a release that was first seen days after the others has an entry of its own", () => {
  const [first, later] = seenIn("4.11.1", "4.12.0");
  assert.ok(first && later);
  const history = [first, { ...later, created_at: "2026-12-03T10:00:00.000000Z" }];
  assert.deepEqual(foldReleases(history), history);
});

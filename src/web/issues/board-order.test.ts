import assert from "node:assert/strict";
import { test } from "node:test";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import { inBoardOrder, openFirst } from "./board-order.ts";

const lanes = [{ id: 7 }, { id: 3 }] as Lane[];
const issue = (title: string, lane_id: number, rank: string, closed_at: string | null = null) =>
  ({ id: 1, title, lane_id, rank, closed_at }) as Issue;
const issues = [
  issue("second of 3", 3, "b"),
  issue("closed in 7", 7, "a", "2026-11-20T09:00:00Z"),
  issue("first of 3", 3, "a"),
  issue("in 7", 7, "b"),
];
const titles = (of: Issue[]) => of.map(({ title }) => title);

test("issues are in the order of the lanes, and in each by rank", () => {
  assert.deepEqual(titles(inBoardOrder(issues, lanes)), ["closed in 7", "in 7", "first of 3", "second of 3"]);
});

test("open issues come before closed ones", () => {
  assert.deepEqual(titles(openFirst(issues, lanes)), ["in 7", "first of 3", "second of 3", "closed in 7"]);
});

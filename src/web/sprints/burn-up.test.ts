import assert from "node:assert/strict";
import { test } from "node:test";
import { burnUp } from "./burn-up.ts";

const sprint = (fields: Partial<Parameters<typeof burnUp>[0]> = {}) => ({
  starts_on: "2026-11-16",
  ends_on: "2026-11-20",
  state: "active" as const,
  created_at: "2026-11-10T08:00:00.000000Z",
  ...fields,
});
const issue = (created: string, closed: string | null = null, minutes: number | null = null) => ({
  estimated_minutes: minutes,
  created_at: `${created}T09:00:00.000000Z`,
  closed_at: closed && `${closed}T23:59:59.999999Z`,
});

test("scope grows as issues are created, done as they are closed, and future days are empty", () => {
  const issues = [issue("2026-11-01"), issue("2026-11-12", "2026-11-17"), issue("2026-11-18", "2026-11-18")];
  assert.deepEqual(burnUp(sprint(), issues, "2026-11-18"), {
    days: ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"],
    scope: [2, 2, 3, null, null],
    done: [0, 1, 2, null, null],
    ideal: [0.6, 1.2, 1.8, 2.4, 3],
  });
});

test("the chart of an overdue sprint ends today, of a closed one with its last closed issue", () => {
  const issues = [issue("2026-11-16", "2026-11-21")];
  assert.equal(burnUp(sprint(), issues, "2026-11-25")?.days.at(-1), "2026-11-25");
  assert.equal(burnUp(sprint({ state: "closed" }), issues, "2026-12-25")?.days.at(-1), "2026-11-21");
  assert.equal(burnUp(sprint({ state: "closed" }), [], "2026-12-25")?.days.at(-1), "2026-11-20");
});

test("without dates the chart begins when the sprint was created, and a future sprint has none", () => {
  const open = sprint({ starts_on: null, ends_on: null });
  assert.deepEqual(burnUp(open, [], "2026-11-11")?.days, ["2026-11-10", "2026-11-11"]);
  assert.equal(burnUp(sprint({ starts_on: "2026-12-01", ends_on: null }), [], "2026-11-20"), undefined);
});

test("the chart of a long sprint shows its last 92 days, and counts what came before", () => {
  const long = sprint({ starts_on: "2026-01-01", ends_on: null });
  const chart = burnUp(long, [issue("2025-12-01", "2026-02-01")], "2026-11-20");
  assert.equal(chart?.days.length, 92);
  assert.equal(chart?.days.at(-1), "2026-11-20");
  assert.deepEqual([chart?.scope[0], chart?.done[0]], [1, 1]);
});

test("counted by estimate, issues without one add nothing, and the ideal line reaches the estimates on the last day", () => {
  const issues = [issue("2026-11-01", null, 60), issue("2026-11-12", "2026-11-17", 40), issue("2026-11-12")];
  const chart = burnUp(sprint(), issues, "2026-11-17", "minutes");
  assert.deepEqual(chart?.scope.slice(0, 2), [100, 100]);
  assert.deepEqual(chart?.done.slice(0, 2), [0, 40]);
  assert.deepEqual(chart?.ideal, [20, 40, 60, 80, 100]);
});

test("the ideal line stays at the scope after the planned end, and is absent without one", () => {
  const issues = [issue("2026-11-01"), issue("2026-11-01")];
  assert.deepEqual(burnUp(sprint(), issues, "2026-11-22")?.ideal?.slice(-3), [2, 2, 2]);
  assert.equal(burnUp(sprint({ ends_on: null }), issues, "2026-11-22")?.ideal, undefined);
});

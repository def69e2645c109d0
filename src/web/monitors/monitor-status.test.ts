import assert from "node:assert/strict";
import { test } from "node:test";
import { type Monitor, monitorExamples, type MonitorStatus } from "../../shared/monitors.ts";
import { lastCheckIn, nextDue, statusOf } from "./monitor-status.ts";

const monitor = (...environments: Partial<Monitor["environments"][number]>[]): Monitor => ({
  ...monitorExamples.Monitor.example,
  environments: environments.map((one, index) => ({
    name: `environment ${index}`,
    status: "ok",
    last_check_in_at: null,
    next_due_at: null,
    error_group_id: null,
    ...one,
  })),
});
const inStatus = (...statuses: MonitorStatus[]) => monitor(...statuses.map((status) => ({ status })));

test("a monitor has the worst status of its environments", () => {
  assert.equal(statusOf(inStatus("ok", "missed", "running")), "missed");
  assert.equal(statusOf(inStatus("ok", "running")), "running");
  assert.equal(statusOf(inStatus("ok", "waiting")), "ok");
});

test("a monitor waits before its first check-in", () => {
  assert.equal(statusOf(inStatus()), "waiting");
});

test("a muted monitor without environments is muted", () => {
  assert.equal(statusOf({ ...inStatus(), muted_until: "2099-01-15T08:00:00.000000Z" }), "muted");
});

test("the last check-in is the latest and the next one the earliest of all environments", () => {
  const [early, late] = ["2026-11-20T08:00:00.000000Z", "2026-11-20T09:00:00.000000Z"];
  const shown = monitor(
    { last_check_in_at: early, next_due_at: late },
    { last_check_in_at: late, next_due_at: early },
    {},
  );
  assert.deepEqual([lastCheckIn(shown), nextDue(shown)], [late, early]);
  assert.deepEqual([lastCheckIn(inStatus("waiting")), nextDue(inStatus("waiting"))], [null, null]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { timelineOf } from "./timeline.ts";

const epic = (id: number, starts_on: string | null, ends_on: string | null) => ({ id, starts_on, ends_on });
const names = (...epics: ReturnType<typeof epic>[]) =>
  timelineOf(epics, "2026-11-16").months.map(({ name }) => name);

test("the timeline has the months of all dates and of today, and at least three", () => {
  assert.deepEqual(names(), ["Nov 2026", "Dec", "Jan 2027"]);
  assert.deepEqual(names(epic(1, "2026-09-30", "2026-10-01")), ["Sep 2026", "Oct", "Nov"]);
  assert.deepEqual(names(epic(1, "2026-10-15", null), epic(2, null, "2027-02-01")), [
    "Oct 2026",
    "Nov",
    "Dec",
    "Jan 2027",
    "Feb",
  ]);
});

test("bars and today are placed by their days, and an open end reaches the edge", () => {
  const { bars, today, months } = timelineOf(
    [
      epic(1, "2026-11-01", "2026-11-30"),
      epic(2, "2026-12-01", null),
      epic(3, null, "2027-01-31"),
      epic(4, null, null),
    ],
    "2026-11-01",
  );
  assert.equal(today, 0);
  assert.deepEqual(bars.get(1), { start: 0, width: months[0]?.width });
  assert.deepEqual(bars.get(2), { start: months[1]?.start, width: 100 - (months[1]?.start ?? 0) });
  assert.deepEqual(bars.get(3), { start: 0, width: 100 });
  assert.equal(bars.has(4), false);
});

test("dates far from today are cut off", () => {
  const { months, bars } = timelineOf([epic(1, "1999-01-01", "2999-01-01")], "2026-11-16");
  assert.deepEqual([months.length, months[0]?.name, months.at(-1)?.name], [37, "May 2025", "May"]);
  assert.deepEqual(bars.get(1), { start: 0, width: 100 });
});

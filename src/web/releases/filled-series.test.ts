import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseHealthPoint } from "../../shared/release-health.ts";
import { filledSeries } from "./filled-series.ts";

const NOW = Date.parse("2026-11-20T14:30:00Z");
const point = (at: string): ReleaseHealthPoint => ({
  at,
  sessions: 5,
  errored: 0,
  crashed: 1,
  abnormal: 0,
  users: 3,
});

test("days and hours without sessions are 0, up to now", () => {
  const days = filledSeries([point("2026-11-18T00:00:00.000000Z")], "day", NOW);
  assert.deepEqual(
    days.slice(-3).map(({ at, sessions }) => [at.slice(0, 10), sessions]),
    [
      ["2026-11-18", 5],
      ["2026-11-19", 0],
      ["2026-11-20", 0],
    ],
  );
  assert.equal(days.length, 30);
  const hours = filledSeries([], "hour", NOW);
  assert.deepEqual([hours.length, hours.at(-1)?.at], [48, "2026-11-20T14:00:00.000Z"]);
});

test("a day that has begun on the server, but not here, is shown", () => {
  const days = filledSeries([point("2026-11-21T00:00:00.000000Z")], "day", NOW);
  assert.deepEqual([days.length, days.at(-1)?.sessions], [30, 5]);
});

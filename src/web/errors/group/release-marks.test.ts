import assert from "node:assert/strict";
import { test } from "node:test";
import { releaseMarks } from "./release-marks.ts";

const days = ["2026-11-19", "2026-11-20", "2026-11-21"];
const group = { releases: [{ release: "1.0", first_seen_at: "2026-11-20T10:00:00.000000Z" }] };

test("a release with the error is marked on the day of its first event", () => {
  assert.deepEqual(releaseMarks(group, [], days), [
    { date: "2026-11-20", name: "1.0", label: "1.0 first seen" },
  ]);
});

test("days with releases without the error have quiet marks, unless the chart does not show them", () => {
  const without = [
    { day: "2026-11-18", releases_count: 1, versions: ["0.9"] },
    { day: "2026-11-21", releases_count: 1, versions: ["1.1"] },
  ];
  const quiet = releaseMarks(group, without, days).filter((mark) => mark.quiet);
  assert.deepEqual(quiet, [
    { date: "2026-11-21", name: "1.1", label: "1.1 without this error", quiet: true },
  ]);
});

test("a quiet mark says how many releases of the day it does not name", () => {
  const without = [{ day: "2026-11-19", releases_count: 5, versions: ["1.5", "1.4", "1.3"] }];
  const [, mark] = releaseMarks(group, without, days);
  assert.equal(mark?.label, "1.5, 1.4, 1.3 and 2 more without this error");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { releaseMarks } from "./release-marks.ts";

const days = ["2026-11-19", "2026-11-20", "2026-11-21"];
const group = {
  environment: "production",
  releases: [{ release: "1.0", first_seen_at: "2026-11-20T10:00:00.000000Z" }],
};
const seen = (version: string, day: string, deploys: [string | null, string][] = []) => ({
  version,
  first_seen_at: `${day}T09:00:00.000000Z`,
  deploys: deploys.map(([environment, on]) => ({ environment, deployed_at: `${on}T09:00:00.000000Z` })),
});

test("a release with the error is marked on the day of its first event, whenever it was deployed", () => {
  const releases = [seen("1.0", "2026-11-19", [["production", "2026-11-19"]])];
  assert.deepEqual(releaseMarks(group, releases, days), [
    { date: "2026-11-20", name: "1.0", label: "1.0 first seen" },
  ]);
});

test("a release without the error has quiet marks where it was deployed to the environment of the error", () => {
  const releases = [
    seen("1.1", "2026-11-19", [
      ["staging", "2026-11-19"],
      ["production", "2026-11-21"],
      [null, "2026-11-20"],
    ]),
    seen("0.9", "2026-11-01"),
  ];
  const quiet = releaseMarks(group, releases, days).filter((mark) => mark.quiet);
  assert.deepEqual(
    quiet.map(({ date, label }) => [date, label]),
    [
      ["2026-11-21", "1.1 without this error"],
      ["2026-11-20", "1.1 without this error"],
    ],
  );
});

test("one mark names at most three releases of a day", () => {
  const releases = ["1.5", "1.4", "1.3", "1.2", "1.1"].map((version) => seen(version, "2026-11-19"));
  const [, mark] = releaseMarks(group, releases, days);
  assert.equal(mark?.label, "1.5, 1.4, 1.3 and 2 more without this error");
});

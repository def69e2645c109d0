import assert from "node:assert/strict";
import { test } from "node:test";
import { type Course, type FixedGroup, stepsOf } from "./steps.ts";

const day = (number: number) => `2026-11-${String(number).padStart(2, "0")}T10:00:00Z`;
const OPEN: FixedGroup = {
  status: 0,
  assignee_id: null,
  last_release: "4.12.0",
  resolved_at: null,
  verified_at: null,
  regressed_at: null,
};
const FIXED: FixedGroup = { ...OPEN, status: 1, resolved_at: day(10) };
const RELEASE = { version: "4.13.0", first_seen_at: day(12) };
const NO_RELEASE = { version: null, first_seen_at: null };
const issue = (closed_at: string | null, lane: "todo" | "doing" | "done") => ({
  created_at: day(3),
  closed_at,
  lane,
});

/** "Reported ✓ > Triaged • > Closed": done, current, ahead. */
const text = (course: Partial<Course>) =>
  stepsOf({ reportedAt: day(1), groups: [], ...course })
    .map(({ name, state }) => name + { done: " ✓", current: " •", ahead: "" }[state])
    .join(" > ");

for (const [what, course, expected] of [
  [
    "an error nobody has touched",
    { groups: [OPEN] },
    "Reported • > Triaged > Resolved > Released > Verified",
  ],
  [
    "an assigned error",
    { groups: [{ ...OPEN, assignee_id: 3 }] },
    "Reported ✓ > Triaged • > Resolved > Released > Verified",
  ],
  [
    "an error without releases",
    { groups: [{ ...OPEN, last_release: null }] },
    "Reported • > Triaged > Resolved",
  ],
  [
    "an error whose issue is being worked on",
    { groups: [OPEN], issue: issue(null, "doing") },
    "Reported ✓ > Triaged ✓ > In progress • > Closed > Released > Verified",
  ],
  [
    "a resolved error before its release",
    { groups: [FIXED], release: NO_RELEASE },
    "Reported ✓ > Triaged ✓ > Resolved • > Released > Verified",
  ],
  [
    "a resolved error after its release",
    { groups: [FIXED], release: RELEASE },
    "Reported ✓ > Triaged ✓ > Resolved ✓ > Released in 4.13.0 • > Verified",
  ],
  [
    "a verified fix",
    { groups: [{ ...FIXED, verified_at: day(16) }], issue: issue(day(10), "done"), release: RELEASE },
    "Reported ✓ > Triaged ✓ > Closed ✓ > Released in 4.13.0 ✓ > Verified •",
  ],
  [
    "an issue of which one error is not fixed",
    { groups: [FIXED, OPEN], issue: issue(day(10), "done"), release: NO_RELEASE },
    "Reported ✓ > Triaged ✓ > Closed • > Released > Verified",
  ],
  [
    "the closed issue of a report",
    { issue: issue(day(11), "done"), release: RELEASE },
    "Reported ✓ > Triaged ✓ > Closed ✓ > Released in 4.13.0 •",
  ],
] satisfies [string, Partial<Course>, string][])
  test(`the progress of ${what} is ${expected}`, () => {
    assert.equal(text(course), expected);
  });

test("a release does not count while the issue is open again", () => {
  assert.equal(
    text({ groups: [OPEN], issue: issue(null, "doing"), release: RELEASE }),
    "Reported ✓ > Triaged ✓ > In progress • > Closed > Released > Verified",
  );
});

test("an issue that a regression reopened names the release that brought it back", () => {
  const regressed_at = day(14);
  const releases = [
    { release: "4.15.0", occurrence_count: 1, first_seen_at: regressed_at, last_seen_at: regressed_at },
  ];
  const groups = [{ ...OPEN, regressed_at, releases }];
  assert.equal(
    text({ groups, issue: issue(null, "todo") }),
    "Reported ✓ > Triaged ✓ > Reopened by 4.15.0 • > In progress > Closed > Released > Verified",
  );
  assert.equal(
    text({ groups, issue: { ...issue(null, "todo"), created_at: day(15) } }),
    "Reported ✓ > Triaged • > In progress > Closed > Released > Verified",
  );
});

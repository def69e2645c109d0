import assert from "node:assert/strict";
import { test } from "node:test";
import type { GitLink } from "../../shared/git.ts";
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
    .map(({ name, state }) => name + { done: " ✓", current: " •", ahead: "", failed: " ✗" }[state])
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

const link = (fields: Partial<GitLink>): GitLink => ({
  kind: "request",
  host: "github",
  repository: "acme/shop",
  ref: "128",
  title: "Check the cart",
  url: "https://github.com/acme/shop/pull/128",
  author_name: "ada",
  state: "open",
  review: null,
  checks: null,
  release: null,
  created_at: day(5),
  ...fields,
});
const COMMIT = link({ kind: "commit", state: null });

for (const [what, course, expected] of [
  [
    "a request that was just opened",
    { issue: issue(null, "doing"), links: [link({})] },
    "Branch • > Review > Checks > Merged",
  ],
  [
    "a request in review whose checks have passed",
    { issue: issue(null, "doing"), links: [link({ review: "requested", checks: "passing" })] },
    "Branch ✓ > In review > Checks passed • > Merged",
  ],
  [
    "an approved request whose checks have failed",
    { groups: [OPEN], links: [link({ review: "approved", checks: "failing" })] },
    "Branch ✓ > Approved • > Checks failed ✗ > Merged > Released > Verified",
  ],
  [
    "a request with requested changes",
    { links: [link({ review: "changes_requested", checks: "pending" })], issue: issue(null, "doing") },
    "Branch • > Changes requested ✗ > Checks running > Merged",
  ],
  [
    "a merged fix that is released and verified",
    {
      groups: [{ ...FIXED, verified_at: day(16) }],
      issue: issue(day(10), "done"),
      release: RELEASE,
      links: [link({ state: "merged", review: "approved", checks: "passing" })],
    },
    "Branch ✓ > Approved ✓ > Checks passed ✓ > Merged ✓ > Released in 4.13.0 ✓ > Verified •",
  ],
  [
    "a request that was merged without review and checks, and did not close the issue",
    { issue: issue(null, "doing"), links: [link({ state: "merged" })] },
    "Branch ✓ > Merged • > Closed",
  ],
  [
    "an issue that was closed before the merge",
    { issue: issue(day(10), "done"), links: [link({})] },
    "Branch ✓ > Review > Checks > Merged > Closed •",
  ],
  [
    "a commit on the default branch that is deployed",
    { issue: issue(day(10), "done"), links: [{ ...COMMIT, release: "4.13.0" }] },
    "Branch ✓ > Closed ✓ > Released in 4.13.0 •",
  ],
  [
    "a request that was closed and replaced by another",
    { issue: issue(null, "doing"), links: [link({ state: "closed" }), link({ checks: "pending" })] },
    "Branch • > Review > Checks running > Merged",
  ],
] satisfies [string, Partial<Course>, string][])
  test(`the progress of ${what} is ${expected}`, () => {
    assert.equal(text(course), expected);
  });

test("commits from before a regression do not count as progress of the next fix", () => {
  const groups = [{ ...OPEN, regressed_at: day(14) }];
  const merged = link({ state: "merged", created_at: day(9) });
  assert.match(text({ groups, issue: issue(null, "todo"), links: [merged] }), /^Reported ✓ .* Reopened •/);
  const next = link({ created_at: day(15) });
  assert.equal(
    text({ groups, issue: issue(null, "todo"), links: [merged, next] }),
    "Branch • > Review > Checks > Merged > Released > Verified",
  );
});

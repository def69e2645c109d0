import assert from "node:assert/strict";
import { test } from "node:test";
import { durationText, type Names, sentenceOf } from "./sentence.ts";

const NAMES: Names = {
  person: (id) => ({ 1: "@ada", 2: "@bob" })[id] ?? "",
  team: () => "@backend",
  webhook: () => "Slack",
  lane: () => "To do",
};

type Rule = Parameters<typeof sentenceOf>[0];

for (const [rule, expected] of [
  [
    {
      when: { kind: "group_events", count: 100, minutes: 10 },
      if: { environment: "production" },
      actions: [{ to: "inbox", team_ids: [4] }, { to: "issue" }],
    },
    "When an error passes 100 events in 10 minutes in production, tell @backend and create an issue.",
  ],
  [
    {
      when: { kind: "regression" },
      if: {},
      actions: [
        { to: "inbox", recipients: ["assignee", "watchers"] },
        { to: "email", recipients: ["assignee", "watchers"] },
      ],
    },
    "When a resolved error comes back, tell the assignee and watchers in the inbox and by email.",
  ],
  [
    {
      when: { kind: "new_group" },
      if: { level: "fatal", class_pattern: "Checkout*", assignee_id: 2, tags: { os: "Linux" } },
      actions: [
        { to: "email", user_ids: [1] },
        { to: "webhook", webhook_id: 3 },
        { to: "assign", owners: true },
      ],
    },
    "When a new error appears, assigned to @bob with level fatal, class Checkout* and tag os:Linux, email @ada, send it to Slack and assign it to its code owner.",
  ],
  [
    {
      when: { kind: "release_new_groups", count: 0 },
      if: {},
      actions: [{ to: "issue", lane_id: 2, assignee_id: 1 }],
    },
    "When a release has a new error, create an issue in To do assigned to @ada.",
  ],
  [
    {
      when: { kind: "release_crash_free", below: 0.995, sessions: 1_000, minutes: 60 },
      if: {},
      actions: [{ to: "inbox", recipients: ["watchers"] }],
    },
    "When less than 99.5 % of a release's sessions in 1 hour, of at least 1,000, are crash-free, tell watchers.",
  ],
  [
    { when: { kind: "report_waiting", days: 1 }, if: {}, actions: [] },
    "When a report has waited 1 day, do nothing.",
  ],
] satisfies [Rule, string][])
  test(`a rule reads: ${expected}`, () => {
    assert.equal(sentenceOf(rule, NAMES), expected);
  });

test("durations are in the largest unit that fits", () => {
  assert.deepEqual([10, 60, 90, 1_440].map(durationText), ["10 minutes", "1 hour", "90 minutes", "1 day"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewAlertRule } from "../../data/integrations/alert-rules.ts";
import { bodyOf, conditionsOf, draftOf } from "./rule-draft.ts";

const RULE = {
  name: "Checkout fails",
  when: { kind: "group_events", count: 100, minutes: 10 },
  if: { environment: "production", tags: { url: "https://shop.example/pay" } },
  // oxlint-disable-next-line unicorn/no-thenable -- the name of the field in the API
  then: [{ to: "issue" }],
  every_minutes: 30,
} satisfies NewAlertRule;

test("a rule that was opened and not changed is sent as it was", () => {
  assert.deepEqual(bodyOf(draftOf(RULE)), RULE);
});

test("a share of crash-free sessions is entered in percent", () => {
  const rule = {
    ...RULE,
    when: { kind: "release_crash_free", below: 0.995, sessions: 200, minutes: 60 },
    if: {},
  } as const;
  assert.equal(draftOf(rule).below, "99.5");
  assert.deepEqual(bodyOf(draftOf(rule)), rule);
});

test("a rule about reports is sent without the conditions that were entered before", () => {
  assert.deepEqual(conditionsOf({ ...draftOf(RULE), kind: "report_created" }), {});
});

test("tags are separated by commas", () => {
  assert.deepEqual(conditionsOf({ ...draftOf(undefined), tags: "os: Linux, browser:Firefox," }), {
    tags: { os: "Linux", browser: "Firefox" },
  });
});

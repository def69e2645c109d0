import assert from "node:assert/strict";
import { test } from "node:test";
import { anIssueTemplate } from "../../../test/support/an-issue-template.ts";
import { PROMOTE_START } from "./promote-fields.ts";
import { changesByTemplate } from "./promote-template.ts";

const bug = anIssueTemplate();
const country = anIssueTemplate({ id: 2, title: "New country", description: null, type: 0 });
const report = { title: "Cart is empty", description: "After a reload." };

test("a template fills the properties and surrounds the texts of the report", () => {
  assert.deepEqual(changesByTemplate(PROMOTE_START, report, { before: undefined, next: bug }), {
    template_id: 1,
    title: "Bug: Cart is empty",
    description: "After a reload.\n\n## Steps",
    type: 1,
    priority: 1,
    lane_id: 7,
    label_ids: [3],
  });
});

test("another template, or none, replaces only what the one before has filled", () => {
  const shown = { title: "Bug: Cart is empty", description: "After a reload.\n\n## Steps" };
  const draft = {
    ...PROMOTE_START,
    template_id: 1,
    type: 1 as const,
    priority: 0,
    lane_id: 7,
    label_ids: [3],
  };
  const { priority, ...others } = changesByTemplate(draft, shown, { before: bug, next: country });
  assert.equal(priority, undefined);
  assert.deepEqual(others, { template_id: 2, ...report, type: 0, lane_id: 7, label_ids: [3] });
  assert.deepEqual(
    changesByTemplate(draft, { ...shown, description: "Mine" }, { before: bug, next: undefined }),
    {
      template_id: null,
      title: report.title,
      description: "Mine",
      type: null,
      lane_id: null,
      label_ids: [],
    },
  );
});

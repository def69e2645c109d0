import assert from "node:assert/strict";
import { test } from "node:test";
import type { IssueTemplate } from "../../shared/issue-templates.ts";
import { isWritten, otherTexts, withTemplate } from "./draft-templates.ts";
import { EMPTY_DRAFT } from "./new-issue-draft.ts";

const bug: IssueTemplate = {
  id: 1,
  project_id: 5,
  name: "Bug",
  title: "Bug: ",
  description: "## Steps",
  type: 1,
  priority: 1,
  lane_id: 7,
  label_ids: [3, 4],
  is_default: false,
  created_at: "2026-11-20T10:00:00Z",
};
const idea: IssueTemplate = { ...bug, id: 2, title: null, description: "## Why", type: 0, label_ids: [] };

test("a template fills an empty draft, and another template or none replaces only what it filled", () => {
  const filled = withTemplate(EMPTY_DRAFT, undefined, bug);
  assert.deepEqual(filled, {
    ...EMPTY_DRAFT,
    templateId: 1,
    title: "Bug: ",
    description: "## Steps",
    type: 1,
    priority: 1,
    laneId: 7,
    labelIds: [3, 4],
  });
  const written = { ...filled, title: "Bug: no postage", labelIds: [4, 3], priority: 0 };
  assert.deepEqual(withTemplate(written, bug, idea), {
    ...written,
    templateId: 2,
    description: "## Why",
    type: 0,
    labelIds: [],
  });
  assert.deepEqual(withTemplate(filled, bug, undefined), EMPTY_DRAFT);
});

test("only texts that the user wrote and that the template has too are to be confirmed", () => {
  const other = (fields: object, template = bug) =>
    Object.keys(otherTexts({ ...EMPTY_DRAFT, ...fields }, template));
  assert.deepEqual(other({}), []);
  assert.deepEqual(other({ title: "Bug: ", description: " \n" }), []);
  assert.deepEqual(other({ title: "Mine", description: "Mine" }), ["title", "description"]);
  assert.deepEqual(other({ title: "Mine" }, idea), []);
});

test("a draft counts as written once a text differs from its template", () => {
  const filled = withTemplate(EMPTY_DRAFT, undefined, bug);
  assert.equal(isWritten(filled, bug), false);
  assert.equal(isWritten({ ...filled, title: "" }, bug), false);
  assert.equal(isWritten({ ...filled, title: "Bug: x" }, bug), true);
  assert.equal(isWritten(filled, undefined), true);
});

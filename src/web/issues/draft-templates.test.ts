import assert from "node:assert/strict";
import { test } from "node:test";
import { anIssueTemplate } from "../../../test/support/an-issue-template.ts";
import { isWritten, otherTexts, withTemplate } from "./draft-templates.ts";
import { EMPTY_DRAFT } from "./new-issue-draft.ts";

const bug = anIssueTemplate({ label_ids: [3, 4] });
const idea = anIssueTemplate({ id: 2, title: null, description: "## Why", type: 0, label_ids: [] });

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

test("only texts that the user wrote and the template would replace need a confirmation", () => {
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

import assert from "node:assert/strict";
import { test } from "node:test";
import { proposedType } from "./promote-fields.ts";

const [FEATURE, BUG] = [0, 1];

test("a bug is proposed for a report of a bug and for one with an error, else a feature", () => {
  assert.equal(proposedType(false, [{ kind: null }]), FEATURE);
  assert.equal(proposedType(false, [{ kind: "idea" }, { kind: "question" }]), FEATURE);
  assert.equal(proposedType(false, [{ kind: "idea" }, { kind: "bug" }]), BUG);
  assert.equal(proposedType(true, [{ kind: "idea" }]), BUG);
});

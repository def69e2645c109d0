import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { findPeeked, mayBeOnLaterPage } from "./peeked-error.ts";

const groups = [{ id: 12 }, { id: 7 }] as ErrorGroupListItem[];

test("the preview shows the group that the address names", () => {
  assert.equal(findPeeked(groups, "7")?.id, 7);
});

test("without a group in the address the preview is closed", () => {
  assert.equal(findPeeked(groups, undefined), undefined);
  assert.equal(mayBeOnLaterPage(groups, undefined, true), false);
});

test("a group that is not loaded is requested if there are further pages", () => {
  assert.equal(mayBeOnLaterPage(groups, "3", true), true);
});

test("if all pages are loaded, a group that is not among them is not requested", () => {
  assert.equal(mayBeOnLaterPage(groups, "3", false), false);
});

test("a loaded group is not requested", () => {
  assert.equal(mayBeOnLaterPage(groups, "7", true), false);
});

test("text that is not an id is not requested", () => {
  for (const peek of ["", "0", "abc", "-3", "1.5", "1234567890123456"])
    assert.equal(mayBeOnLaterPage(groups, peek, true), false);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { PERMISSIONS } from "../../shared/permissions.ts";
import { countText, PERMISSION_GRID, samePermissions, VERBS, withPermission } from "./permission-grid.ts";

test("every permission is in the grid exactly once, in a column of its verb", () => {
  const shown = PERMISSION_GRID.flatMap(({ verbs }) => VERBS.flatMap((verb) => verbs[verb] ?? []));
  assert.deepEqual(shown.toSorted(), [...PERMISSIONS].toSorted());
});

test("a permission is added once and removed completely", () => {
  assert.deepEqual(withPermission(["issues:read"], "issues:read", true), ["issues:read"]);
  assert.deepEqual(withPermission(["issues:read", "epics:read"], "issues:read", false), ["epics:read"]);
});

test("all permissions and none have their own texts", () => {
  assert.equal(countText(PERMISSIONS), "All permissions");
  assert.equal(countText([]), "No permissions");
  assert.equal(countText(["issues:read", "issues:fly"]), `1 of ${PERMISSIONS.length} permissions`);
});

test("the order of permissions makes no difference", () => {
  assert.equal(samePermissions(["a", "b"], ["b", "a"]), true);
  assert.equal(samePermissions(["a"], ["a", "b"]), false);
  assert.equal(samePermissions(["a", "c"], ["a", "b"]), false);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { PERMISSIONS } from "../../shared/permissions.ts";
import { countText, PERMISSION_GRID, samePermissions, VERBS, withPermission } from "./permission-grid.ts";

test("every permission stands in the grid exactly once, under a verb it has a column for", () => {
  const shown = PERMISSION_GRID.flatMap(({ verbs }) => VERBS.flatMap((verb) => verbs[verb] ?? []));
  assert.deepEqual(shown.toSorted(), [...PERMISSIONS].toSorted());
});

test("a permission is given once and taken whole", () => {
  assert.deepEqual(withPermission(["issues:read"], "issues:read", true), ["issues:read"]);
  assert.deepEqual(withPermission(["issues:read", "epics:read"], "issues:read", false), ["epics:read"]);
});

test("a role's reach is told in words at both ends", () => {
  assert.equal(countText(PERMISSIONS), "May do everything");
  assert.equal(countText([]), "May only enter");
  assert.equal(countText(["issues:read", "issues:fly"]), `1 of ${PERMISSIONS.length} permissions`);
});

test("the order of permissions makes no difference", () => {
  assert.equal(samePermissions(["a", "b"], ["b", "a"]), true);
  assert.equal(samePermissions(["a"], ["a", "b"]), false);
  assert.equal(samePermissions(["a", "c"], ["a", "b"]), false);
});

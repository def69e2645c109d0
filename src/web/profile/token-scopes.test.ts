import assert from "node:assert/strict";
import { test } from "node:test";
import { describeScopes, levelsOf, scopesOf } from "./token-scopes.ts";

test("the scopes of a token are those of its areas with a level", () => {
  assert.deepEqual(scopesOf({ reports: "none", issues: "write", errors: "read" }), [
    "issues:write",
    "errors:read",
  ]);
  assert.deepEqual(scopesOf({ reports: "none", issues: "none", errors: "none" }), []);
});

test("the levels of scopes are their areas, and writing includes reading", () => {
  assert.deepEqual(levelsOf(["issues:read", "issues:write", "errors:read"]), {
    reports: "none",
    issues: "write",
    errors: "read",
  });
});

test("scopes are described by area, and writing includes reading", () => {
  assert.equal(
    describeScopes(["errors:read", "issues:read", "issues:write"]),
    "Issues: read & write, Errors: read",
  );
});

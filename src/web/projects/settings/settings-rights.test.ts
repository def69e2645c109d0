import assert from "node:assert/strict";
import { test } from "node:test";
import { firstRole, mayGive, roleOptions } from "./settings-rights.ts";

const role = (id: number, name: string, permissions: string[]) => ({
  id,
  name,
  permissions,
  built_in: false,
  members_count: 0,
  teams_count: 0,
  created_at: "2026-11-20T10:00:00.000000Z",
});
const viewer = role(1, "Viewer", ["issues:read"]);
const member = role(2, "Member", ["issues:read", "issues:create"]);
const manager = role(3, "Manager", ["issues:read", "issues:create", "project:update"]);
const caller = { permissions: ["issues:read", "issues:create"] };

test("a role with more permissions than the user's cannot be chosen", () => {
  assert.equal(mayGive(caller, manager), false);
  assert.deepEqual(
    roleOptions(caller, [viewer, manager]).map(({ label, disabled }) => [label, disabled]),
    [
      ["Viewer", false],
      ["Manager", true],
    ],
  );
});

test("the default role is Member, or the first assignable one", () => {
  assert.equal(firstRole(caller, [viewer, member, manager]), member);
  assert.equal(firstRole(caller, [manager, viewer]), viewer);
  assert.equal(firstRole({ permissions: [] }, [manager, viewer]), undefined);
});

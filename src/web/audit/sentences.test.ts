import assert from "node:assert/strict";
import { test } from "node:test";
import { AUDIT_KINDS, type AuditEvent, type AuditKind } from "../../shared/audit.ts";
import { deedOf, detailRows, KIND_GROUPS } from "./sentences.ts";

const deed = (
  kind: AuditKind,
  subject: AuditEvent["subject"] = null,
  details: Record<string, unknown> = {},
) => deedOf({ kind, subject, details });

test("every kind is told in words, without a gap where the thing's name stands", () => {
  for (const kind of AUDIT_KINDS) {
    const text = deed(kind, { type: "role", id: 7, name: "Auditor" });
    assert.doesNotMatch(text, /[#._]/, kind);
  }
});

test("every kind can be filtered by its group", () => {
  const groups = KIND_GROUPS.map(({ kind }) => kind);
  assert.deepEqual(
    [...new Set(AUDIT_KINDS.map((kind) => kind.split(".")[0]))].filter(
      (group) => !groups.includes(group ?? ""),
    ),
    [],
  );
  assert.equal(new Set(groups).size, groups.length);
});

test("things are named in quotes, people plainly; a name may hold what a replacement would read", () => {
  assert.equal(deed("token.created", { type: "project_token", id: 1, name: "CI" }), "made the token “CI”");
  assert.equal(
    deed("invitation.created", { type: "invitation", id: 1, name: "a@example.com" }),
    "invited a@example.com",
  );
  assert.equal(deed("lane.deleted", { type: "lane", id: 1, name: "$& #" }), "deleted the lane “$& #”");
  assert.equal(
    deed("project_member.added", { type: "user", id: 4, name: null }),
    "added somebody to a project",
  );
});

test("what became of somebody and of a feature is told by the details", () => {
  const ada = { type: "user", id: 4, name: "Ada Moss" } as const;
  assert.equal(deed("workspace_member.changed", ada, { active: false }), "deactivated Ada Moss");
  assert.equal(deed("workspace_member.changed", ada, { is_admin: true }), "made Ada Moss an administrator");
  assert.equal(
    deed("feature.switched", null, { feature: "error_tracking", enabled: false }),
    "switched error tracking off",
  );
});

test("details are listed in words; what is absent is left out", () => {
  assert.deepEqual(detailRows({ is_admin: false, project_ids: [1, 2], expires_at: null, fields: [] }), [
    { name: "Is admin", value: "no" },
    { name: "Project ids", value: "1, 2" },
    { name: "Fields", value: "none" },
  ]);
});

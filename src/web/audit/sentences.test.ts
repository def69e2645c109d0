import assert from "node:assert/strict";
import { test } from "node:test";
import { AUDIT_KINDS, type AuditEvent, type AuditKind } from "../../shared/audit.ts";
import { sentenceOf, detailRows, KIND_GROUPS } from "./sentences.ts";

const sentence = (
  kind: AuditKind,
  subject: AuditEvent["subject"] = null,
  details: Record<string, unknown> = {},
) => sentenceOf({ kind, subject, details });

test("every kind has a sentence without placeholders", () => {
  for (const kind of AUDIT_KINDS) {
    const text = sentence(kind, { type: "role", id: 7, name: "Auditor" });
    assert.doesNotMatch(text, /[#._]/, kind);
  }
});

test("every kind belongs to a group of the filter", () => {
  const groups = KIND_GROUPS.map(({ kind }) => kind);
  assert.deepEqual(
    [...new Set(AUDIT_KINDS.map((kind) => kind.split(".")[0]))].filter(
      (group) => !groups.includes(group ?? ""),
    ),
    [],
  );
  assert.equal(new Set(groups).size, groups.length);
});

test("things are named in quotes, people are not; names may contain replacement patterns", () => {
  assert.equal(
    sentence("token.created", { type: "project_token", id: 1, name: "CI" }),
    "created the token “CI”",
  );
  assert.equal(
    sentence("invitation.created", { type: "invitation", id: 1, name: "a@example.com" }),
    "invited a@example.com",
  );
  assert.equal(sentence("lane.deleted", { type: "lane", id: 1, name: "$& #" }), "deleted the lane “$& #”");
  assert.equal(
    sentence("project_member.added", { type: "user", id: 4, name: null }),
    "added someone to a project",
  );
});

test("a change by an agent names its token", () => {
  const issue = { type: "issue", id: 4, name: "WEB-4" } as const;
  const details = { token_id: 3, token_name: "Laptop $&", client: "agent 1.0" };
  assert.equal(
    sentence("mcp.create_issue", issue, details),
    "created the issue “WEB-4” through MCP, token “Laptop $&”",
  );
  assert.equal(
    sentence("mcp.dismiss_report", { type: "report", id: 4, name: null }, { token_name: null }),
    "dismissed the report number 4 through MCP",
  );
});

test("the token of a connected app is named as the app", () => {
  const subject = { type: "personal_token", id: 1, name: "Claude" } as const;
  const details = { client: "https://claude.ai/oauth/client" };
  assert.equal(sentence("token.created", subject, details), "connected the app “Claude”");
  assert.equal(sentence("token.revoked", subject, details), "disconnected the app “Claude”");
  assert.equal(sentence("token.revoked", subject), "revoked the token “Claude”");
});

test("an inbound rule is named by its kind in words", () => {
  assert.equal(
    sentence("inbound_rule.created", { type: "inbound_rule", id: 1, name: "old_browsers" }),
    "created the inbound rule “Old browsers”",
  );
});

test("member and feature changes are described from the details", () => {
  const ada = { type: "user", id: 4, name: "Ada Moss" } as const;
  assert.equal(sentence("workspace_member.changed", ada, { active: false }), "deactivated Ada Moss");
  assert.equal(
    sentence("workspace_member.changed", ada, { is_admin: true }),
    "made Ada Moss an administrator",
  );
  assert.equal(
    sentence("feature.switched", null, { feature: "error_tracking", enabled: false }),
    "turned off error tracking",
  );
});

test("details have readable names, and missing values are left out", () => {
  assert.deepEqual(detailRows({ is_admin: false, project_ids: [1, 2], expires_at: null, fields: [] }), [
    { name: "Is admin", value: "no" },
    { name: "Project ids", value: "1, 2" },
    { name: "Fields", value: "none" },
  ]);
});

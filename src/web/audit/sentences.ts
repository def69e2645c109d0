import type { AuditEvent, AuditKind, AuditSubject } from "../../shared/audit.ts";

/** The kinds by what they are about, in the words of the filter. */
export const KIND_GROUPS: readonly { kind: string; label: string }[] = [
  { kind: "session", label: "Signing in and out" },
  { kind: "password", label: "Passwords" },
  { kind: "second_factor", label: "Second factors" },
  { kind: "identity", label: "Linked identities" },
  { kind: "profile", label: "Profiles" },
  { kind: "token", label: "Tokens" },
  { kind: "invitation", label: "Invitations" },
  { kind: "role", label: "Roles" },
  { kind: "workspace_member", label: "People of the workspace" },
  { kind: "project_member", label: "Members of projects" },
  { kind: "team", label: "Teams" },
  { kind: "team_member", label: "Members of teams" },
  { kind: "project_team", label: "Projects of teams" },
  { kind: "feature", label: "Features" },
  { kind: "workspace", label: "The workspace" },
  { kind: "project", label: "Projects" },
  { kind: "report", label: "Deleted reports" },
  { kind: "issue", label: "Deleted issues" },
  { kind: "epic", label: "Deleted epics" },
  { kind: "sprint", label: "Deleted sprints" },
  { kind: "lane", label: "Deleted lanes" },
  { kind: "label", label: "Deleted labels" },
  { kind: "comment", label: "Deleted comments" },
  { kind: "export", label: "Exports" },
];

/** What was done; `#` is what it was done to. */
const DEEDS: Record<AuditKind, string> = {
  "session.created": "signed in",
  "session.refused": "was refused at signing in",
  "session.ended": "ended a session",
  "password.changed": "changed the password",
  "password.reset_requested": "asked for a new password",
  "password.reset": "set a new password by mail",
  "second_factor.enabled": "switched the second factor on",
  "second_factor.disabled": "switched the second factor off",
  "second_factor.recovery_codes_renewed": "renewed the recovery codes",
  "identity.linked": "linked an identity",
  "identity.unlinked": "unlinked an identity",
  "profile.email_changed": "changed the e-mail address",
  "token.created": "made the token #",
  "token.changed": "changed the token #",
  "token.revoked": "revoked the token #",
  "invitation.created": "invited #",
  "invitation.deleted": "withdrew the invitation of #",
  "invitation.accepted": "accepted the invitation of #",
  "role.created": "made the role #",
  "role.changed": "changed the role #",
  "role.deleted": "deleted the role #",
  "workspace_member.changed": "changed #",
  "workspace_member.removed": "removed # from the workspace",
  "project_member.added": "added # to a project",
  "project_member.changed": "changed # in a project",
  "project_member.removed": "removed # from a project",
  "team.created": "made the team #",
  "team.changed": "changed the team #",
  "team.deleted": "deleted the team #",
  "team_member.added": "added # to a team",
  "team_member.removed": "removed # from a team",
  "project_team.added": "gave a project to #",
  "project_team.changed": "changed the role of # in a project",
  "project_team.removed": "took a project from #",
  "feature.switched": "switched a feature of #",
  "workspace.created": "made the workspace #",
  "workspace.changed": "changed the workspace #",
  "project.created": "made the project #",
  "project.changed": "changed the project #",
  "project.deleted": "deleted the project #",
  "report.deleted": "deleted the report #",
  "issue.deleted": "deleted the issue #",
  "epic.deleted": "deleted the epic #",
  "sprint.deleted": "deleted the sprint #",
  "lane.deleted": "deleted the lane #",
  "label.deleted": "deleted the label #",
  "comment.deleted": "deleted a comment",
  "export.made": "made an export",
};

const UNNAMED: Partial<Record<AuditSubject, string>> = { user: "somebody", comment: "a comment" };

/** What somebody did, after their name: "made the token “CI”". A kind this page does not know is told by its name. */
export function deedOf({ kind, subject, details }: Pick<AuditEvent, "kind" | "subject" | "details">): string {
  if (kind === "feature.switched") {
    const feature = details["feature"] === "reports" ? "reports" : "error tracking";
    return `switched ${feature} ${details["enabled"] === true ? "on" : "off"}`;
  }
  const member = kind === "workspace_member.changed" ? memberDeed(details) : undefined;
  const deed = member ?? (DEEDS as Record<string, string | undefined>)[kind] ?? kind;
  return deed.replace("#", () => nameOf(subject));
}

function memberDeed(details: Record<string, unknown>): string | undefined {
  if (details["active"] !== undefined) return details["active"] === true ? "activated #" : "deactivated #";
  if (details["is_admin"] === undefined) return undefined;
  return details["is_admin"] === true
    ? "made # an administrator"
    : "took the administration of the workspace from #";
}

function nameOf(subject: AuditEvent["subject"]): string {
  if (subject === null) return "something";
  if (subject.name === null || subject.name === "") return UNNAMED[subject.type] ?? `number ${subject.id}`;
  return subject.type === "user" || subject.type === "invitation" ? subject.name : `“${subject.name}”`;
}

/** The details as words and values, for a list: `is_admin` is "Is admin". What is absent is left out. */
export function detailRows(details: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(details).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name: wordsOf(name), value: textOf(value) }],
  );
}

const wordsOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;

function textOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

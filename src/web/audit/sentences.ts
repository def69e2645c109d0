import type { AuditEvent, AuditKind, AuditSubject } from "../../shared/audit.ts";
import { labelOfKind } from "../data/projects/inbound-kinds.ts";

/** The choices of the filter: the first part of the kinds. */
export const KIND_GROUPS: readonly { kind: string; label: string }[] = [
  { kind: "session", label: "Sign-ins and sign-outs" },
  { kind: "password", label: "Passwords" },
  { kind: "second_factor", label: "Second factors" },
  { kind: "identity", label: "Linked identities" },
  { kind: "profile", label: "Profiles" },
  { kind: "token", label: "Tokens" },
  { kind: "ingest_key", label: "Ingest keys" },
  { kind: "webhook", label: "Webhooks" },
  { kind: "privacy_rule", label: "Privacy rules" },
  { kind: "source_maps", label: "Source maps" },
  { kind: "git_connection", label: "Git connections" },
  { kind: "import", label: "Imports" },
  { kind: "inbound_rule", label: "Inbound rules" },
  { kind: "alert_rule", label: "Alert rules" },
  { kind: "monitor", label: "Monitors" },
  { kind: "issue_template", label: "Issue templates" },
  { kind: "invitation", label: "Invitations" },
  { kind: "role", label: "Roles" },
  { kind: "workspace_member", label: "Workspace members" },
  { kind: "project_member", label: "Project members" },
  { kind: "team", label: "Teams" },
  { kind: "team_member", label: "Team members" },
  { kind: "project_team", label: "Team projects" },
  { kind: "feature", label: "Features" },
  { kind: "workspace", label: "Workspace settings" },
  { kind: "project", label: "Projects" },
  { kind: "error_group", label: "Merged and split errors" },
  { kind: "report", label: "Deleted reports" },
  { kind: "issue", label: "Deleted issues" },
  { kind: "epic", label: "Deleted epics" },
  { kind: "sprint", label: "Deleted sprints" },
  { kind: "lane", label: "Deleted lanes" },
  { kind: "label", label: "Deleted labels" },
  { kind: "comment", label: "Deleted comments" },
  { kind: "attachment", label: "Deleted attachments" },
  { kind: "export", label: "Exports" },
  { kind: "mcp", label: "Changes through MCP" },
];

/** Sentences without their subject; `#` stands for the object. */
const SENTENCES: Record<AuditKind, string> = {
  "session.created": "signed in",
  "session.refused": "failed to sign in",
  "session.ended": "ended a session",
  "password.changed": "changed the password",
  "password.reset_requested": "requested a password reset",
  "password.reset": "reset the password by email",
  "password.removed": "verified the address, which removed the password",
  "second_factor.enabled": "turned on the second factor",
  "second_factor.disabled": "turned off the second factor",
  "second_factor.recovery_codes_renewed": "renewed the recovery codes",
  "identity.linked": "linked an identity",
  "identity.unlinked": "unlinked an identity",
  "profile.email_changed": "changed the email address",
  "profile.email_confirmed": "confirmed the email address",
  "token.created": "created the token #",
  "token.changed": "changed the token #",
  "token.revoked": "revoked the token #",
  "source_maps.uploaded": "uploaded source maps of the release #",
  "source_maps.deleted": "deleted a source map of the release #",
  "git_connection.created": "connected the Git host #",
  "git_connection.changed": "changed the Git connection #",
  "git_connection.deleted": "deleted the Git connection #",
  "inbound_rule.created": "created the inbound rule #",
  "inbound_rule.changed": "changed the inbound rule #",
  "inbound_rule.deleted": "deleted the inbound rule #",
  "alert_rule.created": "created the alert rule #",
  "alert_rule.changed": "changed the alert rule #",
  "alert_rule.deleted": "deleted the alert rule #",
  "alert_rule.muted": "muted the alert rule #",
  "monitor.created": "created the monitor #",
  "monitor.changed": "changed the monitor #",
  "monitor.deleted": "deleted the monitor #",
  "monitor.muted": "muted the monitor #",
  "monitor.unmuted": "unmuted the monitor #",
  "monitor.ping_url_renewed": "replaced the ping URL of the monitor #",
  "alert_rule.unmuted": "unmuted the alert rule #",
  "issue_template.created": "created the issue template #",
  "issue_template.changed": "changed the issue template #",
  "issue_template.deleted": "deleted the issue template #",
  "privacy_rule.created": "created the privacy rule #",
  "privacy_rule.changed": "changed the privacy rule #",
  "privacy_rule.deleted": "deleted the privacy rule #",
  "webhook.created": "added a webhook to #",
  "webhook.changed": "changed the webhook to #",
  "webhook.deleted": "deleted the webhook to #",
  "webhook.secret_rotated": "replaced the secret of the webhook to #",
  "ingest_key.created": "created the ingest key #",
  "ingest_key.changed": "changed the ingest key #",
  "ingest_key.deleted": "deleted the ingest key #",
  "invitation.created": "invited #",
  "invitation.deleted": "withdrew the invitation for #",
  "invitation.accepted": "accepted the invitation for #",
  "role.created": "created the role #",
  "role.changed": "changed the role #",
  "role.deleted": "deleted the role #",
  "workspace_member.changed": "changed #",
  "workspace_member.removed": "removed # from the workspace",
  "project_member.added": "added # to a project",
  "project_member.changed": "changed # in a project",
  "project_member.removed": "removed # from a project",
  "team.created": "created the team #",
  "team.changed": "changed the team #",
  "team.deleted": "deleted the team #",
  "team_member.added": "added # to a team",
  "team_member.removed": "removed # from a team",
  "project_team.added": "gave # access to a project",
  "project_team.changed": "changed the role of # in a project",
  "project_team.removed": "removed the access of # to a project",
  "feature.switched": "turned a feature of # on or off",
  "workspace.created": "created the workspace #",
  "workspace.changed": "changed the workspace #",
  "project.created": "created the project #",
  "project.changed": "changed the project #",
  "project.deleted": "deleted the project #",
  "project.restored": "restored the project #",
  "project.identity_secret_replaced": "replaced the identity secret of the project #",
  "workspace.deleted": "deleted the workspace #",
  "workspace.restored": "restored the workspace #",
  "error_group.merged": "merged errors into #",
  "error_group.split": "split a fingerprint off #",
  "report.deleted": "deleted the report #",
  "issue.deleted": "deleted the issue #",
  "epic.deleted": "deleted the epic #",
  "sprint.deleted": "deleted the sprint #",
  "lane.deleted": "deleted the lane #",
  "label.deleted": "deleted the label #",
  "comment.deleted": "deleted a comment",
  "attachment.deleted": "deleted the attachment #",
  "export.made": "created an export",
  "import.created": "uploaded the file # to import",
  "import.changed": "changed how the file # is imported",
  "import.started": "started the import of #",
  "mcp.create_issue": "created the issue #",
  "mcp.update_issue": "changed the issue #",
  "mcp.comment": "commented on #",
  "mcp.update_error_group": "changed the error #",
  "mcp.promote_reports": "promoted reports to the issue #",
  "mcp.dismiss_report": "dismissed the report #",
};

const UNNAMED: Partial<Record<AuditSubject, string>> = { user: "someone", comment: "a comment" };

/** What someone did, without their name: "created the token “CI”". An unknown kind is shown as it is. */
export function sentenceOf({
  kind,
  subject,
  details,
}: Pick<AuditEvent, "kind" | "subject" | "details">): string {
  if (kind === "source_maps.uploaded" && subject === null) return "uploaded source maps without a release";
  if (kind === "feature.switched") {
    const feature = details["feature"] === "reports" ? "reports" : "error tracking";
    return `turned ${details["enabled"] === true ? "on" : "off"} ${feature}`;
  }
  const through = kind.startsWith("mcp.") ? throughMcp(details) : "";
  const member = kind === "workspace_member.changed" ? memberSentence(details) : undefined;
  const app = details["client"] === undefined ? undefined : APP_SENTENCES[kind];
  const sentence = member ?? app ?? (SENTENCES as Record<string, string | undefined>)[kind] ?? kind;
  return `${sentence.replace("#", () => nameOf(subject))}${through}`;
}

function throughMcp({ token_name }: Record<string, unknown>): string {
  return ` through MCP${typeof token_name === "string" ? `, token “${token_name}”` : ""}`;
}

/** What a person grants to an app is a token. */
const APP_SENTENCES: Partial<Record<AuditKind, string>> = {
  "token.created": "connected the app #",
  "token.revoked": "disconnected the app #",
};

function memberSentence(details: Record<string, unknown>): string | undefined {
  if (details["active"] !== undefined) return details["active"] === true ? "activated #" : "deactivated #";
  if (details["is_admin"] === undefined) return undefined;
  return details["is_admin"] === true ? "made # an administrator" : "removed # as an administrator";
}

function nameOf(subject: AuditEvent["subject"]): string {
  if (subject === null) return "something";
  if (subject.name === null || subject.name === "") return UNNAMED[subject.type] ?? `number ${subject.id}`;
  if (subject.type === "user" || subject.type === "invitation") return subject.name;
  // Inbound rules have no name of their own; the audit log contains their kind.
  return `“${subject.type === "inbound_rule" ? labelOfKind(subject.name) : subject.name}”`;
}

/** The details as readable names and values: `is_admin` becomes "Is admin". Missing values are left out. */
export function detailRows(details: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(details).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name: labelOf(name), value: textOf(value) }],
  );
}

const labelOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;

function textOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

import { z } from "zod";
import { moment as answeredMoment } from "./answers.ts";
import { filterOf, idFilter } from "./filters.ts";
import { date, id, timestamp } from "./text.ts";
import { AT } from "./example-values.ts";

/** Kinds of audit events: the subject, a dot, and what happened to it. */
export const AUDIT_KINDS = [
  "session.created",
  "session.refused",
  "session.ended",
  "password.changed",
  "password.reset_requested",
  "password.reset",
  "password.removed",
  "second_factor.enabled",
  "second_factor.disabled",
  "second_factor.recovery_codes_renewed",
  "identity.linked",
  "identity.unlinked",
  "profile.email_changed",
  "profile.email_confirmed",
  "token.created",
  "token.changed",
  "token.revoked",
  "ingest_key.created",
  "ingest_key.changed",
  "ingest_key.deleted",
  "webhook.created",
  "webhook.changed",
  "webhook.deleted",
  "webhook.secret_rotated",
  "privacy_rule.created",
  "privacy_rule.changed",
  "privacy_rule.deleted",
  "source_maps.uploaded",
  "source_maps.deleted",
  "git_connection.created",
  "git_connection.changed",
  "git_connection.deleted",
  "inbound_rule.created",
  "inbound_rule.changed",
  "inbound_rule.deleted",
  "alert_rule.created",
  "alert_rule.changed",
  "alert_rule.deleted",
  "alert_rule.muted",
  "alert_rule.unmuted",
  "monitor.created",
  "monitor.changed",
  "monitor.deleted",
  "monitor.muted",
  "monitor.unmuted",
  "monitor.ping_url_renewed",
  "issue_template.created",
  "issue_template.changed",
  "issue_template.deleted",
  "invitation.created",
  "invitation.deleted",
  "invitation.accepted",
  "role.created",
  "role.changed",
  "role.deleted",
  "workspace_member.changed",
  "workspace_member.removed",
  "project_member.added",
  "project_member.changed",
  "project_member.removed",
  "team.created",
  "team.changed",
  "team.deleted",
  "team_member.added",
  "team_member.removed",
  "project_team.added",
  "project_team.changed",
  "project_team.removed",
  "feature.switched",
  "workspace.created",
  "workspace.changed",
  "workspace.deleted",
  "workspace.restored",
  "project.created",
  "project.changed",
  "project.deleted",
  "project.restored",
  "project.identity_secret_replaced",
  "error_group.merged",
  "error_group.split",
  "report.deleted",
  "issue.deleted",
  "epic.deleted",
  "sprint.deleted",
  "lane.deleted",
  "label.deleted",
  "comment.deleted",
  "attachment.deleted",
  "export.made",
  "import.created",
  "import.changed",
  "import.started",
  "mcp.create_issue",
  "mcp.update_issue",
  "mcp.comment",
  "mcp.update_error_group",
  "mcp.promote_reports",
  "mcp.dismiss_report",
] as const;

export type AuditKind = (typeof AUDIT_KINDS)[number];

export const AUDIT_SUBJECTS = [
  "user",
  "personal_token",
  "project_token",
  "ingest_key",
  "webhook",
  "privacy_rule",
  "inbound_rule",
  "git_connection",
  "alert_rule",
  "monitor",
  "issue_template",
  "invitation",
  "role",
  "workspace",
  "team",
  "project",
  "error_group",
  "release",
  "report",
  "issue",
  "epic",
  "sprint",
  "lane",
  "label",
  "comment",
  "attachment",
  "import",
] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

export const auditEventAnswer = z.strictObject({
  id,
  kind: z.enum(AUDIT_KINDS),
  /** Null if nobody was signed in, or if the server or a command caused the event. `id` is null once the user is deleted. */
  actor: z.strictObject({ id: id.nullable(), name: z.string() }).nullable(),
  /** `name` is the name at the time of the event. */
  subject: z.strictObject({ type: z.enum(AUDIT_SUBJECTS), id, name: z.string().nullable() }).nullable(),
  details: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: answeredMoment,
});

export type AuditEvent = z.infer<typeof auditEventAnswer>;

/** One kind (`token.created`) or all kinds of a subject (`token`). */
const kinds = filterOf(
  "must be a kind of event, such as token.created, or the part before its dot",
  (value) => {
    const found = AUDIT_KINDS.filter((kind) => kind === value || kind.startsWith(`${value}.`));
    return found.length > 0 ? found : undefined;
  },
);

const subjectType = filterOf(`must be one of ${AUDIT_SUBJECTS.join(", ")}`, (value) =>
  AUDIT_SUBJECTS.find((subject) => subject === value),
);

const DAY_MS = 86_400_000;

/** A timestamp, or a UTC day, which becomes its midnight moved by `dayOffset` days. */
function moment(dayOffset: number) {
  return filterOf("must be a date such as 2026-11-20, or an ISO 8601 timestamp", (value) => {
    if (timestamp.safeParse(value).success) return value;
    if (!date.safeParse(value).success) return undefined;
    const at = new Date(Date.parse(value) + dayOffset * DAY_MS).toISOString();
    return timestamp.safeParse(at).success ? at : undefined;
  });
}

/** `since` is inclusive and `until` exclusive, but a day given as `until` is included as a whole. */
export const auditFilters = {
  kind: kinds,
  actor_id: idFilter,
  subject_type: subjectType,
  subject_id: idFilter,
  since: moment(0),
  until: moment(1),
};

export type AuditFilters = z.output<z.ZodObject<typeof auditFilters>>;

/** Examples for the API reference. */
export const auditExamples = {
  AuditEvent: {
    schema: auditEventAnswer,
    example: {
      id: 1204,
      kind: "role.changed",
      actor: { id: 3, name: "Ada Moss" },
      subject: { type: "role", id: 4, name: "Reporter" },
      details: {},
      ip: "192.0.2.17",
      user_agent: "Mozilla/5.0",
      created_at: AT,
    },
  },
};

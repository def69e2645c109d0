import { sql } from "kysely";
import type { AuditEvent, AuditFilters } from "../../../shared/audit.ts";
import type { Db } from "../../db/connect.ts";
import type { Page } from "../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../answers/page.ts";

/** Newest first. */
export function listAuditEvents(
  db: Db,
  workspaceId: number,
  query: PageQuery & AuditFilters,
): Promise<Page<AuditEvent>> {
  let rows = db
    .selectFrom("audit_events as e")
    .select(["e.id", sql<AuditEvent["kind"]>`e.kind`.as("kind")])
    .select([
      sql<AuditEvent["actor"]>`case when e.actor_name is not null
        then json_build_object('id', e.actor_id, 'name', e.actor_name) end`.as("actor"),
      sql<AuditEvent["subject"]>`case when e.subject_type is not null
        then json_build_object('type', e.subject_type, 'id', e.subject_id, 'name', e.subject_name) end`.as(
        "subject",
      ),
      sql<AuditEvent["details"]>`e.details`.as("details"),
    ])
    .select(["e.ip", "e.user_agent", "e.created_at"])
    .where("e.workspace_id", "=", workspaceId);
  if (query.kind) rows = rows.where("e.kind", "=", sql<string>`any(${query.kind}::text[])`);
  if (query.actor_id !== undefined) rows = rows.where("e.actor_id", "=", query.actor_id);
  if (query.subject_type !== undefined) rows = rows.where("e.subject_type", "=", query.subject_type);
  if (query.subject_id !== undefined) rows = rows.where("e.subject_id", "=", query.subject_id);
  if (query.since !== undefined) rows = rows.where("e.created_at", ">=", query.since);
  if (query.until !== undefined) rows = rows.where("e.created_at", "<", query.until);
  return readPage(rows, query, "e.id", { newestFirst: true });
}

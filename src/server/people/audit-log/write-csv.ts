import type { AuditEvent, AuditFilters } from "../../../shared/audit.ts";
import { csvLine } from "../../../shared/csv.ts";
import type { Db } from "../../db/connect.ts";
import { listAuditEvents } from "./list-audit-events.ts";

/** Entries read and sent at a time, which bounds the memory used. */
const BATCH = 1_000;

/** All entries of the workspace that match the filters as CSV (RFC 4180), newest first. */
export async function* auditEventsAsCsv(
  db: Db,
  workspaceId: number,
  filters: AuditFilters,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query = { ...filters, limit: BATCH, cursor };
    const { data, meta } = await listAuditEvents(db, workspaceId, query);
    yield data.map((event) => csvLine(COLUMNS.map(([, valueOf]) => valueOf(event)))).join("");
    cursor = meta.next_cursor;
  }
}

const COLUMNS: [name: string, valueOf: (event: AuditEvent) => unknown][] = [
  ["id", (event) => event.id],
  ["created_at", (event) => event.created_at],
  ["kind", (event) => event.kind],
  ["actor_id", (event) => event.actor?.id],
  ["actor_name", (event) => event.actor?.name],
  ["subject_type", (event) => event.subject?.type],
  ["subject_id", (event) => event.subject?.id],
  ["subject_name", (event) => event.subject?.name],
  ["details", (event) => event.details],
  ["ip", (event) => event.ip],
  ["user_agent", (event) => event.user_agent],
];

import type { AuditEvent, AuditFilters } from "../../../shared/audit.ts";
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
  yield line(COLUMNS.map(([name]) => name));
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query = { ...filters, limit: BATCH, cursor };
    const { data, meta } = await listAuditEvents(db, workspaceId, query);
    yield data.map((event) => line(COLUMNS.map(([, valueOf]) => valueOf(event)))).join("");
    cursor = meta.next_cursor;
  }
}

type Value = string | number | null | undefined;

const COLUMNS: [name: string, valueOf: (event: AuditEvent) => Value][] = [
  ["id", (event) => event.id],
  ["created_at", (event) => event.created_at],
  ["kind", (event) => event.kind],
  ["actor_id", (event) => event.actor?.id],
  ["actor_name", (event) => event.actor?.name],
  ["subject_type", (event) => event.subject?.type],
  ["subject_id", (event) => event.subject?.id],
  ["subject_name", (event) => event.subject?.name],
  ["details", (event) => JSON.stringify(event.details)],
  ["ip", (event) => event.ip],
  ["user_agent", (event) => event.user_agent],
];

const line = (values: Value[]) => `${values.map(cell).join(",")}\r\n`;

/** Spreadsheets run a cell that begins with one of these characters as a formula. An apostrophe makes it text. */
function cell(value: Value): string {
  const text = String(value ?? "");
  return `"${/^[=+\-@\t\r\n]/.test(text) ? "'" : ""}${text.replaceAll('"', '""')}"`;
}

import { sql } from "kysely";
import type { AuditKind, AuditSubject } from "../../shared/audit.ts";
import { refused } from "../answers/errors.ts";
import type { Tx } from "../db/connect.ts";

/** How many projects, tokens and ingest keys, each, a person may create in 24 hours. Each has rate limits of its own. */
const MAX_PER_DAY = 100;

/** 422 if the person has created too many of these in the last 24 hours, as the audit log says. */
export async function requireDailyAllowance(
  tx: Tx,
  userId: number,
  kind: AuditKind,
  subject: AuditSubject,
): Promise<void> {
  const { rows } = await sql`
    select distinct subject_id from audit_events
    where actor_id = ${userId} and kind = ${kind} and subject_type = ${subject}
      and created_at > clock_timestamp() - interval '24 hours'
    limit ${MAX_PER_DAY}`.execute(tx);
  if (rows.length === MAX_PER_DAY)
    throw refused(`You have created ${MAX_PER_DAY} of these in the last 24 hours. Try again later.`);
}

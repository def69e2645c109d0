import { sql, type RawBuilder } from "kysely";
import { API } from "../../../shared/reports.ts";
import type { Tx } from "../../db/connect.ts";
import type { LinkedReport } from "../status/report-token.ts";
import type { SealedRow } from "../status/server-secret.ts";

/** Someone outside the team who gets an email about a report. The report is the one that they are subscribed to. */
export type Recipient = LinkedReport & {
  /** The report that the email is about: the same one, or the original of it. */
  original_id: number;
  title: string;
  email: string;
  /** The recipient wrote the report. */
  is_author: boolean;
  subscription: SealedRow;
  project: { id: number; name: string; workspace_id: number };
};

/** Selects the reports with these ids and their duplicates, directly or indirectly, as `original_id` and `id`. */
const withDuplicates = (reportIds: number[]) => sql`
  with recursive cluster as (
    select id as original_id, id from reports where id = any(${reportIds}::bigint[])
    union
    select c.original_id, r.id from cluster c join reports r on r.duplicate_of_report_id = c.id
  )
  select original_id, id from cluster`;

/** The ids of the reports and of their duplicates, directly or indirectly. */
export async function readWithDuplicates(tx: Tx, reportIds: number[]): Promise<number[]> {
  if (reportIds.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select distinct id from (${withDuplicates(reportIds)}) cluster order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * The confirmed subscribers of the reports and of their duplicates, each once per report in `reportIds`. Who is subscribed to
 * several of them gets the email about the report that they wrote, if there is one.
 */
export const readSubscribers = (tx: Tx, reportIds: number[]): Promise<Recipient[]> =>
  readRecipients(
    tx,
    sql`
      select distinct on (c.original_id, s.email) s.*, c.original_id
      from (${withDuplicates(reportIds)}) c
      join report_subscriptions s on s.report_id = c.id and s.confirmed_at is not null
      join reports r on r.id = c.id and r.link_revoked_at is null
      order by c.original_id, s.email, lower(r.author_email) is distinct from s.email, c.id <> c.original_id, c.id`,
  );

/** The confirmed subscribers of a report, without those of its duplicates. */
export const readSubscribersOf = (tx: Tx, reportId: number): Promise<Recipient[]> =>
  readRecipients(
    tx,
    sql`select *, report_id as original_id from report_subscriptions where report_id = ${reportId} and confirmed_at is not null`,
  );

/** The recipient of an email that asks to confirm a subscription. */
export async function readUnconfirmed(tx: Tx, subscriptionId: number): Promise<Recipient | undefined> {
  const [recipient] = await readRecipients(
    tx,
    sql`select *, report_id as original_id from report_subscriptions where id = ${subscriptionId}`,
  );
  return recipient;
}

/** Reads the recipients of the subscriptions that `subscriptions` selects. While a status link is revoked, its report has none. */
async function readRecipients(tx: Tx, subscriptions: RawBuilder<unknown>): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select r.id, r.created_at, r.link_generation, r.link_revoked_at, r.source, r.title, s.original_id, s.email,
      coalesce(lower(r.author_email) = s.email, false) as is_author,
      json_build_object('id', s.id, 'generation', s.generation, 'created_at', s.created_at) as subscription,
      json_build_object('id', p.id, 'name', p.name, 'workspace_id', p.workspace_id) as project
    from (${subscriptions}) s
    join reports r on r.id = s.report_id and r.link_revoked_at is null and r.source = ${API}
    join projects p on p.id = r.project_id and p.deleted_at is null
    order by s.email, s.id`.execute(tx);
  return rows;
}

import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";

/**
 * Deletes the subscriptions of a report, the emails to them, and the links to the lists of reports of these addresses and of its
 * author. Call it before the author's address is erased.
 */
export async function forgetSubscribers(tx: Tx, reportId: number): Promise<void> {
  await deleteSubscriberMails(tx, reportId);
  await sql`
    with gone as (delete from report_subscriptions where report_id = ${reportId} returning email)
    delete from my_reports_pages m using reports r
    where r.id = ${reportId} and m.project_id = r.project_id
      and (m.email = lower(r.author_email) or m.email in (select email from gone))`.execute(tx);
}

/** Deletes the emails to the subscribers of a report, sent or not. */
export async function deleteSubscriberMails(tx: Tx, reportId: number): Promise<void> {
  await sql`
    delete from mails m using report_subscriptions s
    where s.report_id = ${reportId} and m.subscription_id = s.id and fold_case(m.address) = fold_case(s.email)`.execute(
    tx,
  );
}

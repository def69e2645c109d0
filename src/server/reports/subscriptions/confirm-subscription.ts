import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";
import { findSubscription } from "./subscription-links.ts";

/** Confirms the address of a subscription, and with it the author's. 404 if the link is unknown, expired, or from before unsubscribing. */
export async function confirmSubscription(db: Db, link: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { id, may_confirm } = await findSubscription(tx, link, { lock: true });
    if (!may_confirm)
      throw notFound("This link has expired. Subscribe again on the report's page to get a new one.");
    await sql`
      with confirmed as (
        update report_subscriptions set confirmed_at = coalesce(confirmed_at, clock_timestamp()) where id = ${id}
        returning report_id, email
      )
      update reports r set author_email_confirmed = true
      from confirmed c where r.id = c.report_id and lower(r.author_email) = c.email and not r.author_email_confirmed`.execute(
      tx,
    );
  });
}

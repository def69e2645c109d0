import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { findSubscription } from "./subscription-links.ts";

/**
 * Ends a subscription, however often this is asked for, and with a link of any age. Links sent before no longer confirm. 404 if
 * there is no such subscription.
 */
export async function unsubscribe(db: Db, link: string): Promise<void> {
  const { id, is_current } = await findSubscription(db, link);
  // An old link does not end a request to subscribe again that is still to be confirmed.
  await sql`
    update report_subscriptions set confirmed_at = null, generation = generation + 1
    where id = ${id} and (confirmed_at is not null or ${is_current})`.execute(db);
}

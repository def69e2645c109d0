import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { queueConfirmation } from "./confirmation-mail.ts";

/** Emails to unconfirmed addresses that one address gets within a day, so that nobody can flood a mailbox. */
const MAX_CONFIRMATIONS_PER_DAY = 3;

/**
 * Subscribes an address to the news of a report. Unless it is confirmed, it gets an email with a link to confirm. If it is
 * subscribed already, nothing changes.
 */
export async function subscribe(
  tx: Tx,
  reportId: number,
  address: string,
  { isConfirmed = false }: { isConfirmed?: boolean | undefined } = {},
): Promise<void> {
  const email = address.toLowerCase();
  // Otherwise, concurrent requests could exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended('subscriptions of ' || ${email}, 0))`.execute(tx);
  const { rows } = await sql<{ id: number; is_confirmed: boolean }>`
    insert into report_subscriptions as s (report_id, email, confirmed_at)
    values (${reportId}, ${email}, case when ${isConfirmed} then clock_timestamp() end)
    on conflict (report_id, email) do update set
      confirmed_at = coalesce(s.confirmed_at, excluded.confirmed_at), requested_at = excluded.requested_at
    returning id, confirmed_at is not null as is_confirmed`.execute(tx);
  const [subscription] = rows;
  if (subscription && !subscription.is_confirmed && (await mayAsk(tx, email)))
    await queueConfirmation(tx, subscription.id);
}

async function mayAsk(tx: Tx, email: string): Promise<boolean> {
  const { rows } = await sql<{ is_below_limit: boolean }>`
    select count(*) < ${MAX_CONFIRMATIONS_PER_DAY} as is_below_limit from mails
    where fold_case(address) = fold_case(${email}) and asks_to_confirm
      and created_at > clock_timestamp() - interval '1 day'`.execute(tx);
  return rows[0]?.is_below_limit === true;
}

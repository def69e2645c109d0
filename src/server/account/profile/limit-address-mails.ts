import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";

/** Emails about confirming one address, from all accounts, within an hour. Invitations are counted separately. */
const MAX_PER_HOUR = 5;

/**
 * The seconds until another email about confirming the address may be sent; 0 if it may be sent now. Confirming must not be
 * a way to flood a mailbox. The lock makes concurrent requests for the address count each other.
 */
export async function secondsUntilMail(tx: Tx, email: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(fold_case(${email}), 20))`.execute(tx);
  const { rows } = await sql<{ count: number; seconds: number }>`
    select count(*)::int as count,
      ceil(extract(epoch from min(created_at) + interval '1 hour' - clock_timestamp()))::int as seconds
    from mails
    where address is not null and fold_case(address) = fold_case(${email}) and workspace_id is null
      and created_at between clock_timestamp() - interval '1 hour' and clock_timestamp()`.execute(tx);
  const [sent] = rows;
  return sent && sent.count >= MAX_PER_HOUR ? Math.max(1, sent.seconds) : 0;
}

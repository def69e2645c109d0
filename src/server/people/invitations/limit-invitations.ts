import { sql } from "kysely";
import { tooMany } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";

/** Invitations of all workspaces that are emailed to one address within 24 hours. */
const MAX_PER_DAY = 20;

/**
 * 429 if the address has received its invitations of the day: inviting must not be a way to flood a mailbox. Emails
 * are counted because they stay when an invitation is accepted or revoked. The lock makes concurrent invitations to the
 * address count each other.
 */
export async function limitInvitations(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(fold_case(${email}), 20))`.execute(tx);
  const { rows } = await sql<{ count: number; seconds: number }>`
    select count(*)::int as count,
      ceil(extract(epoch from min(created_at) + interval '1 day' - clock_timestamp()))::int as seconds
    from mails
    where address is not null and fold_case(address) = fold_case(${email}) and secret_link and workspace_id is not null
      and created_at between clock_timestamp() - interval '1 day' and clock_timestamp()`.execute(tx);
  const [sent] = rows;
  if (sent && sent.count >= MAX_PER_DAY) throw tooMany(Math.max(1, sent.seconds));
}

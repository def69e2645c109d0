import { sql } from "kysely";
import { randomSecret, sha256 } from "../../access/tokens.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { type NewMail, queueMails } from "../../mail/queue-mail.ts";
import { recordAudits } from "../../record/audit.ts";

/** How long a link works. Requests that have waited this long are dropped. */
const LIFE = sql`interval '1 hour'`;

/** Links that an account is sent within an hour. Beyond it, the last one keeps working. */
const MAX_PER_HOUR = 5;

/** Requests per transaction. */
const BATCH = 100;

/**
 * Processes the recorded requests: each account with a password gets an email with a link that works once, within an hour, and
 * replaces earlier links. Accounts without a password sign in through the identity provider and get no link, because someone who
 * was locked out there must not get in this way. Several processes may run this concurrently.
 */
export async function queuePasswordResets(db: Db): Promise<void> {
  for (;;) {
    const taken = await db.transaction().execute(async (tx) => {
      const emails = await takeRequests(tx);
      await queueResets(tx, emails);
      return emails.length;
    });
    if (taken < BATCH) return;
  }
}

/** Removes and returns the oldest requests: their addresses, or null for those that have waited too long. */
async function takeRequests(tx: Tx): Promise<(string | null)[]> {
  const { rows } = await sql<{ email: string | null }>`
    delete from password_requests where id in (
      select id from password_requests order by id limit ${BATCH} for update skip locked
    )
    returning case when created_at > clock_timestamp() - ${LIFE} then email end as email`.execute(tx);
  return rows.map(({ email }) => email);
}

async function queueResets(tx: Tx, emails: (string | null)[]): Promise<void> {
  if (emails.length === 0) return;
  // The lock makes a concurrent change of the address wait, so that it then deletes this link to the old address.
  const { rows: users } = await sql<Recipient>`
    select id, username, email_verified from users
    where fold_case(email) in (select fold_case(asked) from unnest(${emails}::text[]) asked) and password_hash is not null
      and ${MAX_PER_HOUR} > (
        select count(*) from mails m
        where m.user_id = users.id and m.secret_link and m.created_at > clock_timestamp() - interval '1 hour')
    order by id for share`.execute(tx);
  if (users.length === 0) return;
  const secrets = users.map(() => randomSecret());
  await sql`
    insert into password_resets (user_id, token_hash, expires_at)
    select user_id, token_hash, clock_timestamp() + ${LIFE}
    from unnest(${users.map(({ id }) => id)}::bigint[], ${secrets.map(sha256)}::bytea[]) as r (user_id, token_hash)
    order by user_id
    on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`.execute(
    tx,
  );
  await recordAudits(
    tx,
    users.map(({ id }) => ({
      kind: "password.reset_requested",
      account_id: id,
      actor_id: null,
      subject: { type: "user", id },
    })),
  );
  await queueMails(
    tx,
    users.map((user, index) => resetMail(user, secrets[index] as string)),
  );
}

type Recipient = { id: number; username: string; email_verified: boolean };

function resetMail(user: Recipient, token: string): NewMail {
  // The reader of an unverified address may be a stranger, and the username a message to them.
  const account = user.email_verified ? `your Signalbox account ${user.username}` : "your Signalbox account";
  return {
    workspace_id: null,
    user_id: user.id,
    subject: "Reset your Signalbox password",
    lines: [
      `Someone, probably you, asked to reset the password of ${account}.`,
      "The link works once, within an hour. If it was not you, ignore this email: your password stays the same.",
    ],
    button: { label: "Choose a new password", path: `/password/reset?token=${token}` },
    preference: null,
    secret: true,
  };
}

import { sql } from "kysely";
import { recordAudits } from "../../record/audit.ts";
import { randomSecret, sha256 } from "../../access/tokens.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { queueMails, type NewMail } from "../../mail/queue-mail.ts";

/** How long a link works; a request that waited as long for its mail is not answered any more. */
const LIFE = sql`interval '1 hour'`;

/** Requests one transaction works off. */
const AT_ONCE = 100;

/**
 * Notes that somebody forgot the password of an address (platform.md, password). Known and unknown addresses are the
 * same single insert: neither the answer nor its time tells whether there is an account (reliability.md).
 */
export async function requestPasswordReset(db: Db, email: string): Promise<void> {
  await db.insertInto("password_requests").values({ email }).execute();
}

/**
 * Works off what was noted: who has an account with a password gets a mail with a link that works once, for an hour, in
 * place of an older one. An account without a password signs in elsewhere and gets none: whoever was shut out there
 * must not come in here. Any number of processes may call it every second.
 */
export async function queuePasswordResets(db: Db): Promise<void> {
  for (;;) {
    const taken = await db.transaction().execute(async (tx) => {
      const emails = await takeRequests(tx);
      await queueResets(tx, emails);
      return emails.length;
    });
    if (taken < AT_ONCE) return;
  }
}

/** The addresses; null in place of one that waited too long. */
async function takeRequests(tx: Tx): Promise<(string | null)[]> {
  const { rows } = await sql<{ email: string | null }>`
    delete from password_requests where id in (
      select id from password_requests order by id limit ${AT_ONCE} for update skip locked
    )
    returning case when created_at > clock_timestamp() - ${LIFE} then email end as email`.execute(tx);
  return rows.map(({ email }) => email);
}

async function queueResets(tx: Tx, emails: (string | null)[]): Promise<void> {
  if (emails.length === 0) return;
  const { rows: users } = await sql<{ id: number; username: string }>`
    select id, username from users
    where lower(email) in (select lower(asked) from unnest(${emails}::text[]) asked) and password_hash is not null
    order by id for key share`.execute(tx);
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
    users.map((user, place) => resetMail(user, secrets[place] as string)),
  );
}

function resetMail(user: { id: number; username: string }, token: string): NewMail {
  return {
    workspace_id: null,
    user_id: user.id,
    subject: "A new password for Signalbox",
    lines: [
      `Somebody, most likely you, asked for a new password for your account ${user.username} on Signalbox.`,
      "The link works once, within an hour. If it was not you, leave it: your password stays as it is.",
    ],
    button: { label: "Choose a new password", path: `/password/reset?token=${token}` },
    preference: null,
    secret: true,
  };
}

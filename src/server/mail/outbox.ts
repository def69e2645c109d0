import { sql } from "kysely";
import type { Preference } from "../../shared/people.ts";
import type { Db } from "../db/connect.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import type { Failure } from "./send-failure.ts";
import type { MailContent } from "./render-mail.ts";

/** An email that this sender has taken. */
export type TakenMail = MailContent & {
  id: number;
  to: string;
  message_id: string;
  attempts: number;
};

/**
 * How long no other sender takes the email. Longer than sending may take (delivery.ts), so that an email is taken again
 * only if its sender has crashed.
 */
const LEASE = sql`interval '3 minutes'`;

/** The last attempt is about 20 hours after the first. */
const MAX_ATTEMPTS = 10;
const MAX_PAUSE_SECONDS = 4 * 3600;

/**
 * If the clock was set back, emails may be due later than any retry would be. This makes them due soon, but not at
 * once, because another sender may have taken them.
 */
export async function correctDueTimes(db: Db): Promise<void> {
  await sql`
    update mails set due_at = clock_timestamp() + ${LEASE} where state = 'queued'
      and due_at > clock_timestamp() + make_interval(secs => ${MAX_PAUSE_SECONDS}) + ${LEASE}`.execute(db);
}

/** Notifications that a user is sent within an hour, so that nobody can flood a mailbox. All of them are in the inbox. */
export const MAX_NOTIFICATIONS_PER_HOUR = 60;

/**
 * Takes the email that has been due longest and that no other sender is taking; undefined if none is due. It goes to the
 * user's current address. (A user's emails are deleted with the user.) Keeps emails that must not be sent.
 */
export async function takeDueMail(db: Db): Promise<TakenMail | undefined> {
  for (;;) {
    const row = await takeNext(db);
    if (!row) return undefined;
    const { button_label, button_path, is_kept, ...mail } = row;
    if (!is_kept) return { ...mail, button: { label: button_label, path: button_path } };
  }
}

/** For emails to people outside the team: what may have happened since the email was queued. */
const REASON_OF_SUBSCRIPTION = sql`select case
  when r.id is null or p.deleted_at is not null then 'The report or the subscription has been deleted.'
  when r.link_revoked_at is not null then 'The status link of the report has been revoked.'
  when s.confirmed_at is null and not m.asks_to_confirm then 'The recipient has unsubscribed.' end
  from (select 1) one left join report_subscriptions s on s.id = m.subscription_id left join reports r on r.id = s.report_id
  left join projects p on p.id = r.project_id`;

/** An unverified address may be a stranger's. It receives only the secret link to reset the password. */
const REASON = sql`case
  when not u.email_verified and not m.secret_link then 'The recipient has not confirmed this address.'
  when m.preference is not null and ${MAX_NOTIFICATIONS_PER_HOUR} <= (
    select count(*) from mails s where s.user_id = m.user_id and s.state = 'sent' and s.preference is not null
      and s.sent_at > clock_timestamp() - interval '1 hour')
  then ${`The recipient was sent ${MAX_NOTIFICATIONS_PER_HOUR} notifications within an hour.`}
  when m.subscription_id is not null then (${REASON_OF_SUBSCRIPTION}) end`;

async function takeNext(db: Db): Promise<TakenRow | undefined> {
  const { rows } = await sql<TakenRow>`
    with next as materialized (
      select id from mails where state = 'queued' and due_at <= clock_timestamp()
      order by due_at limit 1 for update skip locked
    ), judged as materialized (
      select m.id, u.email, ${REASON} as reason
      from next join mails m on m.id = next.id left join users u on u.id = m.user_id
    )
    update mails m set attempts = m.attempts + 1, due_at = clock_timestamp() + ${LEASE},
      state = case when reason is null then m.state else 'kept' end, last_error = coalesce(reason, m.last_error)
    from judged where m.id = judged.id
    returning m.id, coalesce(m.address, judged.email) as "to", reason is not null as is_kept,
      m.subject, m.lines, m.line_paths as "linePaths", m.excerpt, m.button_label, m.button_path || coalesce('.' || m.link_proof, '') as button_path, m.preference,
      m.unsubscribe_path as "unsubscribePath", m.my_reports_path as "myReportsPath",
      m.message_id, m.attempts`.execute(db);
  return rows[0];
}

type TakenRow = Omit<TakenMail, "button" | "preference"> & {
  button_label: string;
  button_path: string;
  preference: Preference | null;
  /** The email must not be sent, and was kept. */
  is_kept: boolean;
};

/** Called when the mail server has accepted the email. Deletes a secret link. */
export async function markSent(db: Db, mail: TakenMail): Promise<void> {
  await sql`
    update mails set state = 'sent', sent_at = clock_timestamp(), last_error = null,
      button_path = case when secret_link then null else button_path end, link_proof = null
    where id = ${mail.id} and attempts = ${mail.attempts}`.execute(db);
}

/** Schedules a retry after 30 seconds, then 2 minutes and so on, at most 4 hours; or gives up. */
export async function markFailed(db: Db, mail: TakenMail, failure: Failure): Promise<void> {
  const final = failure.permanent || mail.attempts >= MAX_ATTEMPTS;
  const seconds = Math.min(30 * 4 ** (mail.attempts - 1), MAX_PAUSE_SECONDS);
  await sql`
    update mails set last_error = ${failure.message}, state = ${final ? "failed" : "queued"},
      due_at = clock_timestamp() + make_interval(secs => ${seconds})
    where id = ${mail.id} and attempts = ${mail.attempts} and state = 'queued'`.execute(db);
}

/**
 * Without a mail server, emails are kept for administrators to read and never sent, even if a server is set up later.
 * Deletes secret links that no administrator may read, and the proofs of the others.
 */
export async function keepMails(db: Db): Promise<void> {
  await sql`
    update mails set state = 'kept',
      button_path = case when secret_link and workspace_id is null then null else button_path end,
      link_proof = null
    where state = 'queued'`.execute(db);
}

/** Deletes emails older than the retention window, whether sent or not. Returns how many. */
export function deleteOldMails(db: Db, retentionDays: number, signal?: AbortSignal): Promise<number> {
  return deleteOldRows(db, { table: "mails", column: "created_at", days: retentionDays }, signal);
}

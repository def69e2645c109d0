import { sql } from "kysely";
import type { Preference } from "../../shared/people.ts";
import type { Db } from "../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../db/delete-in-batches.ts";
import type { Failure } from "./send-failure.ts";
import type { MailContent } from "./render-mail.ts";

/** A mail that one sender has taken. */
export type TakenMail = MailContent & {
  id: number;
  to: string;
  message_id: string;
  attempts: number;
};

/**
 * How long a taken mail is left alone. Longer than sending may take (delivery.ts), so that only the mail of a sender
 * that crashed comes up again.
 */
const LEASE = sql`interval '3 minutes'`;

/** After so many attempts, some 20 hours after the first, a mail has failed for good. */
const MOST_ATTEMPTS = 10;

/**
 * Takes the mail that has been due longest, unless somebody else has it; undefined when none is due. The address is the
 * person's of this moment. (Mails of somebody who was deleted went with them.)
 */
export async function takeDueMail(db: Db): Promise<TakenMail | undefined> {
  const { rows } = await sql<TakenRow>`
    with next as materialized (
      select id from mails where state = 'queued' and due_at <= clock_timestamp()
      order by due_at limit 1 for update skip locked
    )
    update mails m set attempts = m.attempts + 1, due_at = clock_timestamp() + ${LEASE}
    from next where m.id = next.id
    returning m.id, coalesce(m.address, (select u.email from users u where u.id = m.user_id)) as "to",
      m.subject, m.lines, m.button_label, m.button_path, m.preference, m.message_id, m.attempts`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { button_label, button_path, ...mail } = row;
  return { ...mail, button: { label: button_label, path: button_path } };
}

type TakenRow = Omit<TakenMail, "button" | "preference"> & {
  button_label: string;
  button_path: string;
  preference: Preference | null;
};

/** The server has the mail; a link that is a secret is forgotten. */
export async function markSent(db: Db, mail: TakenMail): Promise<void> {
  await sql`
    update mails set state = 'sent', sent_at = clock_timestamp(), last_error = null,
      button_path = case when secret_link then null else button_path end
    where id = ${mail.id} and attempts = ${mail.attempts}`.execute(db);
}

/** It failed for good, or is due again: after 30 seconds, then ever later up to four hours. */
export async function markFailed(db: Db, mail: TakenMail, failure: Failure): Promise<void> {
  const final = failure.permanent || mail.attempts >= MOST_ATTEMPTS;
  const seconds = Math.min(30 * 4 ** (mail.attempts - 1), 4 * 3600);
  await sql`
    update mails set last_error = ${failure.message}, state = ${final ? "failed" : "queued"},
      due_at = clock_timestamp() + make_interval(secs => ${seconds})
    where id = ${mail.id} and attempts = ${mail.attempts} and state = 'queued'`.execute(db);
}

/**
 * Without a mail server: mails stay for the administrators to read, and are not sent when there is one some day. A
 * secret link that no administrator may read is forgotten.
 */
export async function keepMails(db: Db): Promise<void> {
  await sql`
    update mails set state = 'kept',
      button_path = case when secret_link and workspace_id is null then null else button_path end
    where state = 'queued'`.execute(db);
}

/** Deletes mails older than the retention window, whether sent or not. Returns how many. */
export function deleteOldMails(db: Db, retentionDays: number, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from mails where id in (
            select id from mails where created_at < now() - make_interval(days => ${retentionDays}) limit ${BATCH_ROWS}
          )`.execute(db),
      ),
    signal,
  );
}

import { sql, type RawBuilder } from "kysely";
import { WORK_COMMENT, type NotificationType } from "../../../shared/notifications.ts";
import type { Preference } from "../../../shared/people.ts";
import type { Tx } from "../../db/connect.ts";
import { queueMails } from "../../mail/queue-mail.ts";
import { queuePushes } from "../../push/queue-push.ts";
import { announce } from "../../record/live-changes.ts";

/** The text of an inbox entry, and of the email for recipients who want one. */
export type Notice = {
  type: NotificationType;
  message: string;
  /** Whether the recipient wants the email. The inbox entry is always created. */
  preference: Preference;
  /** Further paragraphs of the email. */
  lines?: string[];
  /** The Markdown of the last line. */
  excerpt?: string | null;
  button: { label: string; path: string };
};

/** What a notification refers to: an issue, error group or report and its project, a project, or a team. */
export type Subject = {
  workspace_id: number;
  project_id: number | null;
  issue?: { id: number; key: string; title: string };
  team?: { id: number; name: string };
  /** The project's error group, report or epic. */
  error_group_id?: number;
  report_id?: number;
  epic_id?: number;
  /** The class and message of an error group, or the title of a report, that the entry is about. */
  thing?: { title: string; text: string | null };
};

export type NewNotification = {
  subject: Subject;
  /** The user who acted, who is never notified. Null if it was not a user. */
  actorId: number | null;
  /** By precedence: a recipient of several notices gets the first of them only. */
  notices: Notice[];
  /** An SQL query for rows of `user_id` and the number of a notice, from 1. */
  recipients: RawBuilder<unknown>;
  /** An SQL query for the ids of users who may currently see the subject; others are not notified. */
  allowed: RawBuilder<unknown>;
  comment?: { id: number; isEdited: boolean };
};

/**
 * Creates the inbox entries of all recipients in one statement, queues their emails and pushes, and announces the entries. All of
 * this is part of the transaction of the change, and is rolled back with it.
 */
export async function notify(tx: Tx, notification: NewNotification): Promise<void> {
  const { subject, notices } = notification;
  const entries = await createEntries(tx, notification);
  await queueMails(
    tx,
    entries.flatMap(({ user_id, notice_number, is_mailed }) => {
      const notice = notices[notice_number - 1];
      if (!is_mailed || !notice) return [];
      const { message, lines = [], excerpt = null, button, preference } = notice;
      const { workspace_id } = subject;
      return {
        workspace_id,
        user_id,
        subject: message,
        lines: [`${message}.`, ...lines],
        excerpt,
        button,
        preference,
      };
    }),
  );
  await queuePushes(
    tx,
    entries.flatMap(({ user_id, notice_number }) => {
      const notice = notices[notice_number - 1];
      return notice ? { user_id, title: notice.message, path: notice.button.path } : [];
    }),
  );
  await announce(
    tx,
    entries.map(({ id, user_id }) => ({ kind: "notification", project_id: subject.project_id, id, user_id })),
  );
}

type Entry = { id: number; user_id: number; notice_number: number; is_mailed: boolean };

async function createEntries(tx: Tx, notification: NewNotification): Promise<Entry[]> {
  const { subject, actorId, notices, recipients, allowed, comment } = notification;
  const { issue, team, thing } = subject;
  const types = notices.map((notice) => notice.type);
  const messages = notices.map((notice) => notice.message);
  const preferences = sql.join(notices.map((notice) => sql.ref(`u.${notice.preference}`)));
  const { rows } = await sql<Entry>`
    with recipient as (
      select user_id, min(notice_number) as notice_number from (${recipients}) as candidate (user_id, notice_number)
      where user_id is distinct from ${actorId}::bigint and user_id in (${allowed})
      group by user_id
    ), entry as (
      insert into notifications (user_id, type, message, actor_id, workspace_id, project_id,
        issue_id, issue_key, issue_title, team_id, team_name, comment_id, report_id, epic_id, error_group_id,
        thing_title, thing_text)
      select r.user_id, n.type, n.message, ${actorId}::bigint, ${subject.workspace_id}::bigint, ${subject.project_id}::bigint,
        ${issue?.id}::bigint, ${issue?.key}::text, ${issue?.title}::text, ${team?.id}::bigint, ${team?.name}::text,
        ${comment?.id}::bigint, ${subject.report_id}::bigint, ${subject.epic_id}::bigint,
        ${subject.error_group_id}::bigint, ${thing?.title}::text, ${thing?.text}::text
      from recipient r
      join unnest(${types}::smallint[], ${messages}::text[]) with ordinality as n (type, message, notice_number)
        using (notice_number)
      order by r.user_id
      ${comment?.isEdited ? BECOMES_UNREAD_MENTION : sql``}
      returning id, user_id
    )
    select e.id, e.user_id, r.notice_number::int,
      u.email_notifications_enabled and (array[${preferences}])[r.notice_number] as is_mailed
    from entry e join recipient r using (user_id) join users u on u.id = e.user_id
    order by e.user_id`.execute(tx);
  return rows;
}

/**
 * A user has one entry per comment. It becomes a mention only once, even if the mention is removed and added again. For errors
 * and reports, comments and mentions have the same type but different messages.
 */
const BECOMES_UNREAD_MENTION = sql`
  on conflict (comment_id, user_id) where comment_id is not null do update
  set type = excluded.type, message = excluded.message, actor_id = excluded.actor_id, read_at = null,
    snoozed_until = null
  where notifications.type <> excluded.type
    or (excluded.type = ${WORK_COMMENT} and notifications.message <> excluded.message)`;

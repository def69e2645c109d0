import { sql, type RawBuilder } from "kysely";
import type { NotificationType } from "../../../shared/notifications.ts";
import type { Preference } from "../../../shared/people.ts";
import type { Tx } from "../../db/connect.ts";
import { queueMails } from "../../mail/queue-mail.ts";
import { announce } from "../../record/live-changes.ts";

/** What somebody is told: the inbox entry, and the mail that goes with it when they want such mails. */
export type Notice = {
  type: NotificationType;
  message: string;
  /** The switch of the mail; the inbox has none (service.md 6, rule 4). */
  preference: Preference;
  /** Further paragraphs of the mail. */
  lines?: string[];
  button: { label: string; path: string };
};

/** What it is about: an issue with its project, a project, or a team. */
export type About = {
  workspace_id: number;
  project_id: number | null;
  issue?: { id: number; key: string; title: string };
  team?: { id: number; name: string };
};

export type Occurrence = {
  about: About;
  /** Whose doing it is: never told. null: nobody's here. */
  actorId: number | null;
  /** In the order of their weight: whoever is to get several gets the first. */
  notices: Notice[];
  /** SQL for rows of `user_id` and the place of their notice, from 1. */
  to: RawBuilder<unknown>;
  /** SQL for the ids of those who may know of it at this moment; nobody else is told. */
  among: RawBuilder<unknown>;
  comment?: { id: number; isEdited: boolean };
};

/**
 * Puts an entry into the inbox of everybody it concerns, by one statement however many they are, and queues their mails
 * and the live updates: all in the transaction of what happened, and undone with it (service.md 6).
 */
export async function notify(tx: Tx, occurrence: Occurrence): Promise<void> {
  const { about, notices } = occurrence;
  const told = await fillInboxes(tx, occurrence);
  await queueMails(
    tx,
    told.flatMap(({ user_id, place, is_mailed }) => {
      const notice = notices[place - 1];
      if (!is_mailed || !notice) return [];
      const { message, lines = [], button, preference } = notice;
      const { workspace_id } = about;
      return {
        workspace_id,
        user_id,
        subject: message,
        lines: [`${message}.`, ...lines],
        button,
        preference,
      };
    }),
  );
  await announce(
    tx,
    told.map(({ id, user_id }) => ({ kind: "notification", project_id: about.project_id, id, user_id })),
  );
}

type Told = { id: number; user_id: number; place: number; is_mailed: boolean };

async function fillInboxes(tx: Tx, occurrence: Occurrence): Promise<Told[]> {
  const { about, actorId, notices, to, among, comment } = occurrence;
  const { issue, team } = about;
  const types = notices.map((notice) => notice.type);
  const messages = notices.map((notice) => notice.message);
  const switches = sql.join(notices.map((notice) => sql.ref(`u.${notice.preference}`)));
  const { rows } = await sql<Told>`
    with recipient as (
      select user_id, min(place) as place from (${to}) as concerned (user_id, place)
      where user_id is distinct from ${actorId}::bigint and user_id in (${among})
      group by user_id
    ), told as (
      insert into notifications (user_id, type, message, actor_id, workspace_id, project_id,
        issue_id, issue_key, issue_title, team_id, team_name, comment_id)
      select r.user_id, n.type, n.message, ${actorId}::bigint, ${about.workspace_id}::bigint, ${about.project_id}::bigint,
        ${issue?.id}::bigint, ${issue?.key}::text, ${issue?.title}::text, ${team?.id}::bigint, ${team?.name}::text,
        ${comment?.id}::bigint
      from recipient r
      join unnest(${types}::smallint[], ${messages}::text[]) with ordinality as n (type, message, place) using (place)
      order by r.user_id
      ${comment?.isEdited ? BECOMES_UNREAD_MENTION : sql``}
      returning id, user_id
    )
    select t.id, t.user_id, r.place::int,
      u.email_notifications_enabled and (array[${switches}])[r.place] as is_mailed
    from told t join recipient r using (user_id) join users u on u.id = t.user_id
    order by t.user_id`.execute(tx);
  return rows;
}

/** Whoever was told of the comment already: of a mention only once, however often it is edited in and out. */
const BECOMES_UNREAD_MENTION = sql`
  on conflict (comment_id, user_id) where comment_id is not null do update
  set type = excluded.type, message = excluded.message, actor_id = excluded.actor_id, read_at = null
  where notifications.type <> excluded.type`;

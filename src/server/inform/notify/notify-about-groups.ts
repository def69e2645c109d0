import { sql, type RawBuilder } from "kysely";
import { NEW_ERROR, type NotificationType } from "../../../shared/notifications.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { queuePushes } from "../../push/queue-push.ts";
import { announce } from "../../record/live-changes.ts";
import { countByType } from "./count-by-type.ts";
import { addToDigests } from "./error-digest.ts";
import { pathOfEntry, type NotifiedGroup, type NotifiedProject } from "./notified-groups.ts";
import { writeSummaries, type NewSummary, type Summary } from "./summarize-new-errors.ts";

/** What happened to a group, to a report, or in the project. `message` is a sentence without its final period. */
export type GroupNotice = {
  group: NotifiedGroup | null;
  report?: NotifiedReport;
  type: NotificationType;
  message: string;
};

export type NotifiedReport = { id: number; title: string };

type GroupNotification = {
  notices: GroupNotice[];
  recipients: RawBuilder<unknown>;
  actorId?: number | null;
  summaries?: NewSummary[];
  /** What the recipients must be permitted to read. */
  kind?: "error_group" | "report";
};

/**
 * Creates inbox entries about one project in one statement, and adds them to the digests that are emailed. The query `recipients`
 * reads `notice (n, group_id, type)` and selects the number of a notice, a `user_id`, and whether the user gets an inbox entry and
 * an email. The actor and users who may not read what it is about are left out. A user gets one push for all of their entries,
 * including `summaries`; those that are only updated cause no further push or email.
 */
export async function notifyAboutGroups(
  tx: Tx,
  project: NotifiedProject,
  { notices, recipients, actorId = null, summaries: planned = [], kind = "error_group" }: GroupNotification,
): Promise<void> {
  const created = await createEntries(tx, project, { notices, recipients, actorId, kind });
  const summaries = await writeSummaries(tx, project, planned);
  const further = summaries.filter(({ isUpdated }) => !isUpdated).map(entryOf);
  const entries = [...created.entries, ...further];
  const users = [...Map.groupBy(entries, ({ user_id }) => user_id)];
  await queuePushes(
    tx,
    users.map(([user_id, own]) => ({ user_id, ...pushOf(project, own) })),
  );
  await addToDigests(
    tx,
    project.id,
    entries.filter(({ is_mailed }) => is_mailed).map(({ id }) => id),
    created.mailedUsers,
  );
  const changed = [...entries, ...summaries.filter(({ isUpdated }) => isUpdated)];
  // Announcing the newest entry suffices to make a user's windows reload the inbox.
  await announce(
    tx,
    [...Map.groupBy(changed, ({ user_id }) => user_id)].map(([user_id, own]) => ({
      kind: "notification" as const,
      project_id: project.id,
      id: Math.max(...own.map(({ id }) => id)),
      user_id,
    })),
  );
}

/** `group_id` is null for several errors; `count` is their number. */
type Entry = {
  id: number;
  user_id: number;
  type: NotificationType;
  message: string;
  group_id: number | null;
  report_id: number | null;
  count: number;
  is_mailed: boolean;
};

const entryOf = ({ id, user_id, message, error_count, is_mailed }: Summary): Entry => ({
  id,
  user_id,
  message,
  type: NEW_ERROR,
  group_id: null,
  report_id: null,
  count: error_count,
  is_mailed,
});

/** Also notes what is only emailed, and returns the users who get such an email. */
async function createEntries(
  tx: Tx,
  project: NotifiedProject,
  { notices, recipients, actorId, kind }: Required<Omit<GroupNotification, "summaries">>,
): Promise<{ entries: Entry[]; mailedUsers: number[] }> {
  if (notices.length === 0) return { entries: [], mailedUsers: [] };
  const sent = notices.map(({ group, report, type, message }, n) => ({
    n,
    group_id: group?.id,
    report_id: report?.id,
    type,
    message,
    title: group?.exception_class ?? report?.title,
    text: group?.message,
  }));
  const { rows } = await sql<Entry | { id: null; user_id: number }>`
    with notice as materialized (
      select * from json_to_recordset(${JSON.stringify(sent)})
        as one (n int, group_id bigint, report_id bigint, type smallint, message text, title text, text text)
    ), recipient as materialized (
      select n, user_id, bool_or(in_inbox) as in_inbox, bool_or(by_email) as by_email
      from (${recipients}) candidate (n, user_id, in_inbox, by_email)
      where user_id is distinct from ${actorId}::bigint and user_id in (${usersReading(project, kind)})
      group by n, user_id
    ), mailed as (
      insert into emailed_alerts (user_id, project_id, type, message, error_group_id, report_id)
      select user_id, ${project.id}::bigint, type, message, group_id, report_id
      from recipient join notice using (n) join users u on u.id = user_id
      where not in_inbox and u.notify_error_activity_email and u.email_notifications_enabled
      order by n, user_id
      returning user_id
    ), numbered as materialized (
      select nextval('notifications_id_seq') as id, * from (
        select * from recipient join notice using (n) where in_inbox order by n, user_id) ordered
    ), entry as (
      insert into notifications (
        id, user_id, type, message, actor_id, workspace_id, project_id, error_group_id, report_id, thing_title, thing_text)
      overriding system value
      select id, user_id, type, message, ${actorId}::bigint, ${project.workspace_id}::bigint, ${project.id}::bigint, group_id,
        report_id, title, text
      from numbered order by id
    )
    select id, user_id, type, message, group_id, report_id, 1 as count, by_email as is_mailed from numbered
    union all
    select null, user_id, null, null, null, null, 0, true from mailed
    order by id`.execute(tx);
  return {
    entries: rows.filter((row): row is Entry => row.id !== null),
    mailedUsers: rows.filter(({ id }) => id === null).map(({ user_id }) => user_id),
  };
}

function pushOf(project: NotifiedProject, entries: Entry[]): { title: string; path: string } {
  const errors = `/projects/${project.key}/errors`;
  const [first, ...more] = entries;
  return first && more.length === 0
    ? { title: first.message, path: pathOfEntry(project, first) }
    : { title: `${project.key}: ${countByType(entries)}`, path: errors };
}

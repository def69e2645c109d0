import { sql, type RawBuilder } from "kysely";
import { NEW_ERROR, type NotificationType } from "../../../shared/notifications.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { queuePushes } from "../../push/queue-push.ts";
import { announce } from "../../record/live-changes.ts";
import { countByType } from "./count-by-type.ts";
import { addToDigests } from "./error-digest.ts";
import { newErrorsPath, type NotifiedGroup, type NotifiedProject } from "./notified-groups.ts";
import { writeSummaries, type NewSummary, type Summary } from "./summarize-new-errors.ts";

/** What happened to a group. `message` is a sentence without its final period. */
export type GroupNotice = { group: NotifiedGroup; type: NotificationType; message: string };

type GroupNotification = {
  notices: GroupNotice[];
  recipients: RawBuilder<unknown>;
  actorId?: number | null;
  summaries?: NewSummary[];
};

/**
 * Creates inbox entries about groups of one project in one statement, and adds them to the digests that are emailed. The query
 * `recipients` reads `notice (n, group_id, type)` and selects the number of a notice and a `user_id`. The actor and users who may
 * not read error groups are left out. A user gets one push for all of their entries, including `summaries`; those that
 * are only updated cause no further push or email.
 */
export async function notifyAboutGroups(
  tx: Tx,
  project: NotifiedProject,
  { notices, recipients, actorId = null, summaries: planned = [] }: GroupNotification,
): Promise<void> {
  const single = await createEntries(tx, project, { notices, recipients, actorId });
  const summaries = await writeSummaries(tx, project, planned);
  const further = summaries.filter(({ isUpdated }) => !isUpdated).map(entryOf);
  const entries = [...single, ...further];
  const users = [...Map.groupBy(entries, ({ user_id }) => user_id)];
  await queuePushes(
    tx,
    users.map(([user_id, own]) => ({ user_id, ...pushOf(project, own) })),
  );
  await addToDigests(
    tx,
    entries.map(({ id }) => id),
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
  count: number;
};

const entryOf = ({ id, user_id, message, error_count }: Summary): Entry => ({
  id,
  user_id,
  message,
  type: NEW_ERROR,
  group_id: null,
  count: error_count,
});

async function createEntries(
  tx: Tx,
  project: NotifiedProject,
  {
    notices,
    recipients,
    actorId,
  }: { notices: GroupNotice[]; recipients: RawBuilder<unknown>; actorId: number | null },
): Promise<Entry[]> {
  if (notices.length === 0) return [];
  const rows = notices.map(({ group, type, message }, n) => ({
    n,
    group_id: group.id,
    type,
    message,
    title: group.exception_class,
    text: group.message,
  }));
  const { rows: entries } = await sql<Entry>`
    with notice as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)})
        as one (n int, group_id bigint, type smallint, message text, title text, text text)
    ), recipient as materialized (
      select distinct n, user_id from (${recipients}) candidate (n, user_id)
      where user_id is distinct from ${actorId}::bigint and user_id in (${usersReading(project, "error_group")})
    )
    insert into notifications (
      user_id, type, message, actor_id, workspace_id, project_id, error_group_id, thing_title, thing_text)
    select user_id, type, message, ${actorId}::bigint, ${project.workspace_id}::bigint, ${project.id}::bigint, group_id,
      title, text
    from recipient join notice using (n)
    order by n, user_id
    returning id, user_id, type, message, error_group_id as group_id, 1 as count`.execute(tx);
  return entries;
}

function pushOf(project: NotifiedProject, entries: Entry[]): { title: string; path: string } {
  const errors = `/projects/${project.key}/errors`;
  const [first, ...more] = entries;
  return first && more.length === 0
    ? {
        title: first.message,
        path: first.group_id === null ? newErrorsPath(project) : `${errors}/${first.group_id}`,
      }
    : { title: `${project.key}: ${countByType(entries)}`, path: errors };
}

import { sql, type RawBuilder } from "kysely";
import type { NotificationType } from "../../../shared/notifications.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { queuePushes } from "../../push/queue-push.ts";
import { announce } from "../../record/live-changes.ts";
import { countByType } from "./count-by-type.ts";
import { addToDigests } from "./error-digest.ts";
import type { NotifiedGroup, NotifiedProject } from "./notified-groups.ts";

/** What happened to a group. `message` is a sentence without its final period. */
export type GroupNotice = { group: NotifiedGroup; type: NotificationType; message: string };

/**
 * Creates inbox entries about groups of one project in one statement, and adds them to the digests that are emailed. The query
 * `recipients` reads `notice (n, group_id, type)` and selects the number of a notice and a `user_id`. The actor and users who may
 * not read error groups are left out. A user gets one push for all of their entries.
 */
export async function notifyAboutGroups(
  tx: Tx,
  project: NotifiedProject,
  notices: GroupNotice[],
  recipients: RawBuilder<unknown>,
  actorId: number | null = null,
): Promise<void> {
  const entries = await createEntries(tx, project, notices, recipients, actorId);
  const users = [...Map.groupBy(entries, ({ user_id }) => user_id)];
  await queuePushes(
    tx,
    users.map(([user_id, own]) => ({ user_id, ...pushOf(project, own) })),
  );
  await addToDigests(
    tx,
    entries.map(({ id }) => id),
  );
  // Announcing the newest entry suffices to make a user's windows reload the inbox.
  await announce(
    tx,
    users.map(([user_id, own]) => ({
      kind: "notification" as const,
      project_id: project.id,
      id: Math.max(...own.map(({ id }) => id)),
      user_id,
    })),
  );
}

type Entry = { id: number; user_id: number; type: NotificationType; message: string; group_id: number };

async function createEntries(
  tx: Tx,
  project: NotifiedProject,
  notices: GroupNotice[],
  recipients: RawBuilder<unknown>,
  actorId: number | null,
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
    returning id, user_id, type, message, error_group_id as group_id`.execute(tx);
  return entries;
}

function pushOf(project: NotifiedProject, entries: Entry[]): { title: string; path: string } {
  const errors = `/projects/${project.key}/errors`;
  const [first, ...more] = entries;
  return first && more.length === 0
    ? { title: first.message, path: `${errors}/${first.group_id}` }
    : { title: `${project.key}: ${countByType(entries)}`, path: errors };
}

import { sql } from "kysely";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { queueMails } from "../../mail/queue-mail.ts";
import { digestMail, type DigestEntry } from "./digest-mail.ts";
import type { NotifiedProject } from "./notified-groups.ts";

/** A user gets at most one email about the errors of a project in this time. */
const THROTTLE = sql`interval '10 minutes'`;

/**
 * Adds inbox entries about the project to each user's next email about it, if the user wants such emails. It is due immediately, but
 * not earlier than ten minutes after the previous one. The same applies to `mailedUsers`, who have something else to be mailed.
 */
export async function addToDigests(
  tx: Tx,
  projectId: number,
  notificationIds: number[],
  mailedUsers: number[] = [],
): Promise<void> {
  if (notificationIds.length + mailedUsers.length === 0) return;
  // Updates the digest even if it is already due: the lock keeps it from being sent without these entries.
  await sql`
    with entry as materialized (
      select n.id, n.user_id from notifications n join users u on u.id = n.user_id
      where n.id = any(${notificationIds}::bigint[])
        and u.notify_error_activity_email and u.email_notifications_enabled
    ), added as (
      insert into error_digest_entries (user_id, project_id, notification_id)
      select user_id, ${projectId}::bigint, id from entry
    )
    insert into error_digests as d (user_id, project_id, due_at)
    select user_id, ${projectId}::bigint, clock_timestamp()
    from (select user_id from entry union select unnest(${mailedUsers}::bigint[])) mailed order by user_id
    on conflict (user_id, project_id) do update
      set due_at = coalesce(d.due_at, greatest(excluded.due_at, d.queued_at + ${THROTTLE}))`.execute(tx);
}

/**
 * Queues all emails that are due; throws once the signal is aborted. Each is queued in the transaction that takes its entries.
 * Any number of processes may call this every second.
 */
export async function queueErrorDigests(db: Db, signal?: AbortSignal): Promise<void> {
  let isMore = true;
  while (isMore) {
    signal?.throwIfAborted();
    isMore = await db.transaction().execute(queueNext);
  }
}

async function queueNext(tx: Tx): Promise<boolean> {
  const due = await claimDigest(tx);
  if (!due) return false;
  const { user_id, ...project } = due;
  const entries = await takeEntries(tx, user_id, project);
  if (entries.length === 0) return true;
  const mail = digestMail(project, entries);
  const preference = "notify_error_activity_email";
  await queueMails(tx, [{ ...mail, workspace_id: project.workspace_id, user_id, preference }]);
  await sql`
    update error_digests set queued_at = clock_timestamp()
    where user_id = ${user_id} and project_id = ${project.id}`.execute(tx);
  return true;
}

/**
 * Also takes emails that are due later than the throttle allows: the clock was set back. Already locks the user, which queuing
 * the email requires: in this order, it cannot deadlock with deleting the user.
 */
async function claimDigest(tx: Tx): Promise<(NotifiedProject & { user_id: number }) | undefined> {
  const { rows } = await sql<NotifiedProject & { user_id: number }>`
    with due as materialized (
      select d.user_id, d.project_id from error_digests d join users u on u.id = d.user_id
      where d.due_at <= clock_timestamp() or d.due_at > clock_timestamp() + ${THROTTLE}
      order by d.due_at limit 1 for update of d skip locked for key share of u skip locked
    )
    update error_digests d set due_at = null from due, projects p
    where d.user_id = due.user_id and d.project_id = due.project_id and p.id = due.project_id
    returning d.user_id, p.id, p.workspace_id, p.key, p.name`.execute(tx);
  return rows[0];
}

/**
 * Removes all waiting entries, and returns those that the user has not read or snoozed in the inbox, if they still want the email
 * and may read what they are about.
 */
async function takeEntries(tx: Tx, userId: number, project: NotifiedProject): Promise<DigestEntry[]> {
  const mayRead = (kind: "error_group" | "report") =>
    sql`exists (select from (${usersReading(project, kind)}) r where r.user_id = ${userId})`;
  const { rows } = await sql<DigestEntry>`
    with taken as (
      delete from error_digest_entries where user_id = ${userId} and project_id = ${project.id}
      returning notification_id
    ), mailed as (
      delete from emailed_alerts where user_id = ${userId} and project_id = ${project.id}
      returning id, type, message, error_group_id, report_id
    ), entry as (
      select n.id, n.type, n.message, coalesce(n.error_count, 1) as count, n.error_group_id, n.report_id
      from taken t join notifications n on n.id = t.notification_id and n.read_at is null
        and (n.snoozed_until is null or n.snoozed_until <= clock_timestamp())
      union all
      select id, type, message, 1, error_group_id, report_id from mailed
    )
    select e.id, e.type, e.message, e.count, g.id as group_id, g.environment, g.exception_class,
      left(g.latest_message, 1000) as text, r.id as report_id
    from entry e
    join users u on u.id = ${userId} and u.notify_error_activity_email and u.email_notifications_enabled
    join projects p on p.id = ${project.id} and p.deleted_at is null
    join workspaces w on w.id = p.workspace_id
    left join error_groups g on g.id = e.error_group_id and g.project_id = p.id
    left join reports r on r.id = e.report_id and r.project_id = p.id
    where case when e.report_id is not null then r.id is not null and w.reports_enabled and ${mayRead("report")}
      else (e.error_group_id is null or g.id is not null) and w.error_tracking_enabled and ${mayRead("error_group")} end`.execute(
    tx,
  );
  return rows;
}

import { sql, type RawBuilder } from "kysely";
import { NEW_ERROR } from "../../../shared/notifications.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { shorten } from "./message-parts.ts";
import type { NotifiedProject } from "./notified-groups.ts";

/** New errors of a project within the window that get entries of their own in a user's inbox. Further ones share one entry. */
const MAX_SINGLE = 9;
const WINDOW = sql`interval '10 minutes'`;

/** `single`: how many of the new errors, from the first, get entries of their own in the user's inbox. */
export type NewErrorRecipient = { user_id: number; by_email: boolean; single: number };

/** The user's entry for several new errors. `isUpdated`: it is unread and its place in the inbox has not changed. */
export type Summary = {
  id: number;
  user_id: number;
  message: string;
  error_count: number;
  is_mailed: boolean;
  isUpdated: boolean;
};

type Inbox = {
  user_id: number;
  by_email: boolean;
  /** Single entries within the window. */
  shown: number;
  /** The summary, if new errors were added to it within the window. */
  id: number | null;
  error_count: number;
  /** The summary is unread and the newest entry, or snoozed, so that it stays where it is. */
  stays: boolean;
};

/**
 * Decides which users get single entries about `count` new errors of the project, and which errors are added to their summaries. The
 * query `users` selects each `user_id` once, and whether the user gets an email, too.
 * Waits for other transactions that do the same, so that a user does not get two summaries; call it in the order of the projects.
 */
export async function planNewErrors(
  tx: Tx,
  project: NotifiedProject,
  count: number,
  users: RawBuilder<unknown>,
): Promise<{ recipients: NewErrorRecipient[]; summaries: NewSummary[] }> {
  if (count === 0) return { recipients: [], summaries: [] };
  await sql`select pg_advisory_xact_lock(hashtextextended(${`new errors ${project.id}`}, 0))`.execute(tx);
  const decisions = (await readInboxes(tx, project, users)).map((inbox) => {
    const single = inbox.id === null ? Math.min(count, Math.max(0, MAX_SINGLE - inbox.shown)) : 0;
    return { ...inbox, single, added: count - single };
  });
  const summaries = decisions
    .filter(({ added }) => added > 0)
    .map(({ user_id, by_email, id, stays, error_count, added }) => ({
      user_id,
      is_mailed: by_email,
      id,
      stays,
      error_count: error_count + added,
      message: messageOf(error_count + added, project),
    }));
  return { recipients: decisions, summaries };
}

const messageOf = (count: number, project: NotifiedProject) =>
  `${count.toLocaleString("en")} new ${count === 1 ? "error" : "errors"} in ${shorten(project.name)}`;

async function readInboxes(tx: Tx, project: NotifiedProject, users: RawBuilder<unknown>): Promise<Inbox[]> {
  const { rows } = await sql<Inbox>`
    select w.user_id, w.by_email, coalesce(recent.shown, 0)::int as shown, s.id, coalesce(s.error_count, 0) as error_count,
      coalesce(s.snoozed_until > clock_timestamp() or (s.read_at is null and not exists (
        select from notifications later where later.user_id = s.user_id and later.id > s.id)), false) as stays
    from (${users}) w (user_id, by_email)
    cross join lateral (
      select count(*) filter (where error_count is null) as shown,
        max(id) filter (where error_count is not null) as summary_id
      from (
        select id, error_count, created_at from notifications n
        where n.user_id = w.user_id and n.project_id = ${project.id} and n.type = ${sql.lit(NEW_ERROR)}
        order by id desc limit ${sql.lit(MAX_SINGLE + 1)}
      ) latest
      where created_at > clock_timestamp() - ${WINDOW}
    ) recent
    left join notifications s on s.id = recent.summary_id
    where w.user_id in (${usersReading(project, "error_group")})
    order by w.user_id`.execute(tx);
  return rows;
}

/** `id` is that of the user's previous summary. */
export type NewSummary = Omit<Summary, "id" | "isUpdated"> & { id: number | null; stays: boolean };

/**
 * Updates summaries that stay where they are in the inbox, and replaces the others by new ones: an inbox is sorted by id. Call it
 * after creating the single entries.
 */
export async function writeSummaries(
  tx: Tx,
  project: NotifiedProject,
  summaries: NewSummary[],
): Promise<Summary[]> {
  if (summaries.length === 0) return [];
  const { rows } = await sql<Summary>`
    with summary as materialized (
      select * from json_to_recordset(${JSON.stringify(summaries)})
        as one (user_id bigint, id bigint, stays boolean, error_count int, is_mailed boolean, message text)
    ), updated as (
      update notifications n set error_count = s.error_count, message = s.message, created_at = clock_timestamp()
      from summary s where s.stays and n.id = s.id
      returning n.id, n.user_id, n.message, n.error_count, s.is_mailed
    ), replaced as (
      delete from notifications n using summary s where n.id = s.id and not s.stays
    ), created as (
      insert into notifications (user_id, type, message, workspace_id, project_id, error_count)
      select s.user_id, ${NEW_ERROR}, s.message, ${project.workspace_id}::bigint, ${project.id}::bigint, s.error_count
      from summary s where not exists (select from updated u where u.user_id = s.user_id)
      order by s.user_id
      returning id, user_id, message, error_count
    )
    select *, true as "isUpdated" from updated
    union all
    select c.*, s.is_mailed, false from created c join summary s using (user_id)`.execute(tx);
  return rows;
}

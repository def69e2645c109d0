import { sql } from "kysely";
import { ERROR_REGRESSED, NEW_ERROR, SNOOZE_ENDED, SPIKE } from "../../../shared/notifications.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { shorten } from "./message-parts.ts";
import {
  nameError,
  readNotifiedGroups,
  type NotifiedGroup,
  type NotifiedProject,
} from "./notified-groups.ts";
import { notifyAboutGroups } from "./notify-about-groups.ts";
import { planNewErrors, type NewErrorRecipient } from "./summarize-new-errors.ts";

/** Something that happened to a group without a user's action. */
type Occasion =
  | { group_id: number; type: typeof NEW_ERROR; details: object }
  | { group_id: number; type: typeof ERROR_REGRESSED; details: { release: string | null } }
  | { group_id: number; type: typeof SNOOZE_ENDED; details: object }
  | { group_id: number; type: typeof SPIKE; details: { events: number; usual: number } };

/** Queues notices about groups. After the caller's transaction has committed, a job notifies people of them. */
export async function queueGroupNotices(
  tx: Tx,
  occasions: Exclude<Occasion, { type: typeof NEW_ERROR }>[],
): Promise<void> {
  if (occasions.length === 0) return;
  await sql`
    insert into error_group_notices (group_id, type, details)
    select * from jsonb_to_recordset(${JSON.stringify(occasions)}::jsonb)
      as occasion (group_id bigint, type smallint, details jsonb)`.execute(tx);
}

/** Notices of each kind per transaction. */
const AT_ONCE = 200;

/**
 * Notifies people of all new errors, regressions, ended snoozes and spikes; throws once the signal is aborted. Takes each one in
 * the transaction that creates its notifications, so people are notified once. Any number of processes may call this every
 * second.
 */
export async function notifyOfErrors(db: Db, signal?: AbortSignal): Promise<void> {
  let isMore = true;
  while (isMore) {
    signal?.throwIfAborted();
    isMore = await db.transaction().execute(notifyNext);
  }
}

async function notifyNext(tx: Tx): Promise<boolean> {
  const occasions = await takeOccasions(tx);
  const groupIds = [...new Set(occasions.map(({ group_id }) => group_id))];
  if (groupIds.length === 0) return false;
  const notified = await readNotifiedGroups(tx, groupIds);
  for (const { project, groups } of notified.toSorted((a, b) => a.project.id - b.project.id)) {
    const notices = occasions.flatMap((occasion) => {
      const group = groups.get(occasion.group_id);
      return group ? { group, type: occasion.type, message: messageOf(occasion, group, project) } : [];
    });
    const newErrors = notices.filter(({ type }) => type === NEW_ERROR);
    const { recipients, summaries } = await planNewErrors(tx, project, newErrors.length);
    await notifyAboutGroups(tx, project, {
      notices,
      recipients: recipientsIn(project, recipients),
      summaries,
    });
  }
  return true;
}

async function takeOccasions(tx: Tx): Promise<Occasion[]> {
  const { rows } = await sql<Occasion>`
    with created as (
      delete from new_error_groups where error_group_id in (
        select error_group_id from new_error_groups order by error_group_id limit ${AT_ONCE} for update skip locked)
      returning error_group_id as group_id
    ), happened as (
      delete from error_group_notices where id in (
        select id from error_group_notices order by id limit ${AT_ONCE} for update skip locked)
      returning id, group_id, type, details
    )
    select group_id, type, details from (
      select 0 as id, group_id, ${NEW_ERROR}::smallint as type, '{}'::jsonb as details from created
      union all select id, group_id, type, details from happened
    ) occasion order by id, group_id`.execute(tx);
  return rows;
}

/**
 * Type 9: assignee and watchers; 10: the project's watchers, as far as they get single entries; 11: watchers; 16: all of these.
 * New errors are the first notices.
 */
const recipientsIn = ({ id }: NotifiedProject, newErrors: NewErrorRecipient[]) => sql`
  select n, user_id from notice join error_group_watchers using (group_id) where type <> ${NEW_ERROR}
  union all
  select n, assignee_id from notice join error_groups g on g.id = group_id
  where type in (${ERROR_REGRESSED}, ${SPIKE}) and assignee_id is not null
  union all
  select n, user_id from notice
  join json_to_recordset(${JSON.stringify(newErrors)}) as r (user_id bigint, single int) on n < r.single
  where type = ${NEW_ERROR}
  union all
  select n, user_id from notice join report_watchers w on w.project_id = ${id} where type = ${SPIKE}`;

function messageOf(occasion: Occasion, group: NotifiedGroup, project: NotifiedProject): string {
  const error = nameError(group);
  const capitalized = `T${error.slice(1)}`;
  switch (occasion.type) {
    case NEW_ERROR:
      return `New error ${shorten(group.exception_class)} in ${shorten(project.name)}`;
    case ERROR_REGRESSED: {
      const { release } = occasion.details;
      return `${capitalized} came back${release === null ? "" : ` in ${shorten(release)}`}`;
    }
    case SNOOZE_ENDED:
      return `The snooze of ${error} ended`;
    case SPIKE: {
      const { events, usual } = occasion.details;
      const usually = Math.round(usual) < 1 ? "less than one" : Math.round(usual).toLocaleString("en");
      return `${capitalized} is spiking: ${events.toLocaleString("en")} events in 10 minutes, usually ${usually}`;
    }
  }
}

import { sql, type RawBuilder } from "kysely";
import { importedFromField } from "../../record/imported-from.ts";

/**
 * How the group was resolved; null for a plain resolution. Also checks the status, because a reopened group keeps the
 * columns.
 */
const resolvedIn = sql`case when g.status = 1 and g.resolved_in is not null
    then json_build_object('mode', g.resolved_in, 'release', g.resolved_in_release) end as resolved_in`;

/** The events and users since the group was snoozed, if the snooze has a condition on them. */
const snoozeProgress = sql`case when g.status = 2 and g.snoozed_until is not null then json_build_object(
    'occurrences', g.occurrence_count - g.snooze_ends_count + (g.snoozed_until ->> 'occurrences')::bigint,
    'users', cardinality(g.snooze_users)) end as snooze_progress`;

/** The columns of `error_groups g` that list items and the full resource share. */
export const sharedColumns = sql`
  g.id, g.project_id, g.environment, g.release, g.last_release, g.exception_class, g.level,
  g.context_kind, g.context_label, g.occurrence_count, g.status, g.resolved_at, g.resolved_by_id,
  g.regressed_at, g.reopen_count, ${resolvedIn},
  case when g.status = 1 then g.verified_at end as verified_at, g.linked_issue_id, g.assignee_id,
  case when g.status = 2 then g.snoozed_until end as snoozed_until, ${snoozeProgress}, g.first_seen_at, g.last_seen_at,
  g.first_seen_at as created_at, g.updated_at, ${importedFromField("error_group_id", sql`g.id`)}`;

/**
 * Selects the number of distinct users within the retention window, or null if there are none. The stored count is
 * correct unless a user may have expired since the last retention run; in that case the rows are counted.
 */
export function affectedUsers(retentionDays: number): RawBuilder<number | null> {
  const cutoff = sql`now() - make_interval(days => ${retentionDays}::int)`;
  return sql<number | null>`(
    select nullif(case when c.users_seen_since > ${cutoff} then c.users else (
      select count(*) from error_group_users u where u.group_id = g.id and u.last_seen_at > ${cutoff}
    ) end, 0)
    from error_group_counts c where c.group_id = g.id) as affected_users`;
}

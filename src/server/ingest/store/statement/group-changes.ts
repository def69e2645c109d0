import { ERROR_REGRESSED, SNOOZE_ENDED } from "../../../../shared/notifications.ts";

/* What else is written for groups that are new, that regressed, or whose snooze ended. */

/**
 * Writes history entries for groups that are new, that regressed, or whose snooze ended with this batch. Reads `groups` and
 * `batch`.
 */
export const ACTIVITY = `
activity as (
  insert into error_group_activity (group_id, kind, "from", "to", created_at)
  select g.id, case when g.is_new then 'first_seen' when g.is_regressed then 'regressed' else 'reopened' end,
    case when g.is_regressed then to_jsonb(g.resolved_release) else g.ended_snooze end,
    case when g.is_new then to_jsonb(b.first_release) when g.is_regressed then to_jsonb(g.regressed_release) end,
    g.last_seen_at
  from groups g join batch b on b.key = g.key
  where g.is_new or g.is_regressed or g.ended_snooze is not null
  order by g.id
)`;

/**
 * Queues what people will be notified of. A job creates the notifications later, so that storing events never waits for
 * rows that people change. Reads `groups`.
 */
export const NOTICES = `
noted as (
  insert into new_error_groups (error_group_id, project_id) select id, project_id from groups where is_new
),
notices as (
  insert into error_group_notices (group_id, type, details)
  select id, case when is_regressed then ${ERROR_REGRESSED} else ${SNOOZE_ENDED} end,
    case when is_regressed then jsonb_build_object('release', regressed_release) else '{}' end
  from groups where is_regressed or ended_snooze is not null
)`;

/** Read later by the job that reopens issues, so that storing does not wait for an issue that is being edited. */
export const REGRESSIONS = `
regressions as (
  insert into issue_regressions (group_id, release, regressed_at)
  select g.id, g.regressed_release, g.last_seen_at
  from groups g join projects p on p.id = g.project_id and p.regression_reopens
  where g.is_regressed and g.linked_issue_id is not null
)`;

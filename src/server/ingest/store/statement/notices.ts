import { ERROR_REGRESSED, SNOOZE_ENDED } from "../../../../shared/notifications.ts";

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

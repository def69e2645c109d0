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

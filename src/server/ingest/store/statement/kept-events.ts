import { sent } from "./columns.ts";

/** The first events of a group that are always kept. */
export const FIRST_EVENTS = 10;

/**
 * Assigns ids, in the order of arrival, to the newest event of each group (`place` is null) and to the further events that
 * are kept, and stores the latter. Reads `seen`. `numbered`: id, n, place.
 */
export const KEPT_EVENTS = `
further as materialized (
  select e.*, s.id as group_id, s.at, s.count_before + e.place as occurrence
  from ${sent("batch_events", "e")} join seen s using (n)
  where e.is_newest = 1 or s.count_before + e.place <= ${FIRST_EVENTS}
),
numbered as materialized (
  select nextval('error_events_id_seq') as id, n, place
  from (
    select n, null::bigint as place from seen union all select n, place from further order by n, place nulls last
  ) arrived
),
kept_further as (
  insert into error_events (
    id, group_id, received_at, reason, has_feedback, event_id, level, release, host, pseudonym, message, stack_trace,
    previous_exceptions, context, runtime_name, runtime_version, framework_name, framework_version, tags, additions)
  select i.id, f.group_id, f.at,
    case when f.occurrence = 1 then 3 when f.occurrence <= ${FIRST_EVENTS} then 2 else 0 end,
    false, f.event_id::uuid, f.level, f.release, f.host, f.pseudonym, f.message, f.stack_trace, f.previous_exceptions,
    f.context, f.runtime_name, f.runtime_version, f.framework_name, f.framework_version, f.tags::jsonb, f.additions
  from further f join numbered i using (n, place)
)`;

/** The most events of a group in `error_events`; the newest one of the group is elsewhere. */
const MAX_KEPT = 99;

/**
 * For `select … from seen`: the average bytes of the group's kept events if one of them will be dropped for the event that is
 * kept, else null. The lengths are read without the texts.
 */
export const REPLACED_BYTES = `case when is_kept and occurrence_count > ${MAX_KEPT} then (
    select case when count(*) >= ${MAX_KEPT} then avg(octet_length(e.message) + octet_length(e.stack_trace)
      + octet_length(e.previous_exceptions) + coalesce(octet_length(e.additions), 0))::int end
    from error_events e where e.group_id = seen.id) end`;

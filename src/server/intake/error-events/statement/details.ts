import { FIRST_EVENTS } from "./kept-events.ts";

/**
 * Replaces the newest event of each group. A trigger stores the replaced one in `error_events` if it is to be kept. Reads
 * `seen`, `batch` and `numbered`.
 */
export const DETAILS = `
details as (
  insert into error_group_details as d (
    group_id, stack_trace, previous_exceptions, exception_code, runtime_name, runtime_version,
    framework_name, framework_version, memory_peak_bytes, memory_limit_bytes, context, event, received_at, reason,
    event_id, level, release, host, pseudonym, message, tags, additions, cut, is_release_kept, has_others)
  select s.id, b.stack_trace, b.previous_exceptions, b.exception_code, b.runtime_name, b.runtime_version,
    b.framework_name, b.framework_version, b.memory_peak_bytes, b.memory_limit_bytes, b.context, i.id, s.at,
    case when b.is_only_counted = 1 then 0 when s.occurrence_count = 1 then 3 when s.occurrence_count <= ${FIRST_EVENTS} then 2
      when s.count_before >= ${FIRST_EVENTS} and s.is_kept then 1 else 0 end,
    b.event_id::uuid, b.level, b.last_release, b.host, b.pseudonym, b.message, b.tags::jsonb, b.additions, b.cut::jsonb,
    b.is_release_kept = 1, b.has_others = 1
  from seen s join batch b using (n) join numbered i on i.n = s.n and i.place is null
  on conflict (group_id) do update set
    -- Most repeats have the same text. Keeping the old value avoids rewriting it in the TOAST table.
    stack_trace = case when d.stack_trace = excluded.stack_trace then d.stack_trace else excluded.stack_trace end,
    previous_exceptions = case when d.previous_exceptions = excluded.previous_exceptions
      then d.previous_exceptions else excluded.previous_exceptions end,
    exception_code = excluded.exception_code,
    runtime_name = excluded.runtime_name,
    runtime_version = excluded.runtime_version,
    framework_name = excluded.framework_name,
    framework_version = excluded.framework_version,
    memory_peak_bytes = excluded.memory_peak_bytes,
    memory_limit_bytes = excluded.memory_limit_bytes,
    context = excluded.context,
    event = excluded.event,
    received_at = excluded.received_at,
    reason = excluded.reason,
    has_feedback = false,
    event_id = excluded.event_id,
    level = excluded.level,
    release = excluded.release,
    host = excluded.host,
    pseudonym = excluded.pseudonym,
    message = excluded.message,
    tags = excluded.tags,
    additions = excluded.additions,
    cut = excluded.cut,
    is_release_kept = excluded.is_release_kept,
    has_others = excluded.has_others
)`;

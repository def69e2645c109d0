/** Replaces the latest event of each group. Reads `seen` and `batch`. */
export const DETAILS = `
details as (
  insert into error_group_details as d (
    group_id, stack_trace, previous_exceptions, exception_code, runtime_name, runtime_version,
    framework_name, framework_version, memory_peak_bytes, memory_limit_bytes, context)
  select s.id, b.stack_trace, b.previous_exceptions, b.exception_code, b.runtime_name, b.runtime_version,
    b.framework_name, b.framework_version, b.memory_peak_bytes, b.memory_limit_bytes, b.context
  from seen s join batch b using (n)
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
    context = excluded.context
)`;

-- When each background job is due, which process runs it, and how its runs went. The work itself is in the program
-- (operations/jobs/jobs.ts), which adds the rows. A migration deletes the row of a job that is removed there.
create table background_jobs (
  name text primary key,
  -- From one run to the next.
  period interval not null,
  -- null: every process runs the job, since its statements share the work; such a job has no lease.
  due_at timestamptz,
  -- The process that runs the job renews its lease. Once the lease has expired, any process may take the job over.
  lease_id uuid,
  leased_until timestamptz,
  -- The last run that ended, and the last one that succeeded. Polling jobs record at most one success a minute.
  finished_at timestamptz,
  succeeded_at timestamptz,
  seconds double precision,
  -- Failed runs since the last success, and the message of the last one.
  failures integer not null default 0,
  last_error text,
  created_at timestamptz not null default clock_timestamp(),
  check ((lease_id is null) = (leased_until is null)),
  check (due_at is not null or lease_id is null)
);

-- Earlier versions kept their schedule in a schema of pg-boss. It stays if it is not ours, or not ours alone.
do $$
declare
  is_ours boolean := false;
begin
  if to_regclass('pgboss.queue') is not null then
    execute $query$
      select bool_or(name = 'retention') and bool_and(name in ('retention', 'file-sweep', 'old-mails', 'old-audit-events',
        'old-sessions', 'file-deletions', 'old-changes', 'rate-limits', 'report-ranks', 'issue-ranks') or name ~ '^__pgboss')
      from pgboss.queue $query$ into is_ours;
  end if;
  if is_ours then
    drop schema pgboss cascade;
  end if;
exception when insufficient_privilege then
  raise notice 'The schema pgboss belongs to another role and stays.';
end $$;

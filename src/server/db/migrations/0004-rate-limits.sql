-- Requests per key and second for the last minute: counts[1] is for `second`, counts[61] for 60 seconds earlier.
-- Unlogged: after a crash everyone starts with the full limit.
create unlogged table rate_limits (
  key text primary key,
  second bigint not null,
  counts integer[] not null,
  granted integer not null
) with (fillfactor = 50);

-- The result of the last daily run, so that the next one notices a clock that jumped.
create table retention_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  outcome text not null,
  groups_deleted integer not null default 0,
  hosts_deleted integer not null default 0,
  users_deleted integer not null default 0
);

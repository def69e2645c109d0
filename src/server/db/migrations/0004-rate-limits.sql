-- Requests per key and second for the last minute: counts[1] is the second `second`, counts[61] the one
-- 60 seconds before it. Unlogged: after a crash everybody starts with a full allowance.
create unlogged table rate_limits (
  key text primary key,
  second bigint not null,
  counts integer[] not null,
  granted integer not null
) with (fillfactor = 50);

-- What the daily job did last, so that the next one notices a clock that jumped.
create table retention_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  outcome text not null,
  groups_deleted integer not null default 0,
  hosts_deleted integer not null default 0,
  users_deleted integer not null default 0
);

-- The spans in which servers ran. A check-in may have been lost in a time that none of them covers, however short a restart was.
-- The tables monitor_clock and monitor_gaps, which know only pauses of more than 30 seconds, are written by the previous version only.
create table server_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ran_at timestamptz not null,
  check (started_at <= ran_at)
);
insert into server_runs (started_at, ran_at) select '-infinity', ran_at from monitor_clock;

-- Events in the span of ten minutes of `last_seen_at`, and in the span before it. The storing statement writes them with the
-- other counts of the row; no index has them, so these updates stay cheap.
alter table error_groups
  add column span_count integer not null default 0,
  add column previous_span_count integer not null default 0;

-- A spike is more events in ten minutes than this, and than this many times the usual rate.
alter table projects
  add column spike_events integer not null default 50,
  add column spike_times integer not null default 10;

-- Spikes that people have been notified of and that have not ended.
create table error_group_spikes (
  group_id bigint primary key references error_groups on delete cascade,
  started_at timestamptz not null default clock_timestamp()
);

-- Where the errors of each group happen, written by a job a moment after events, so that a route, a function or a file is found
-- without reading all groups.
create table error_group_locations (
  group_id bigint primary key references error_groups on delete cascade,
  project_id bigint not null,
  -- The context's label; empty if there is none.
  label text not null,
  -- The functions and files of the frame that threw and of the app's own frame closest to it, a line each.
  frames text not null,
  -- Says whether the trace has changed since, so that a known one is not parsed again.
  trace_hash bigint not null
);
create index error_group_locations_project_id on error_group_locations (project_id);
create index error_group_locations_trigrams on error_group_locations
  using gin (label gin_trgm_ops, frames gin_trgm_ops) with (gin_pending_list_limit = 256);

-- The time up to which events are in `error_group_locations`. No row until the job has read all groups once.
create table error_group_locations_progress (
  is_only boolean primary key default true check (is_only),
  indexed_until timestamptz not null
);

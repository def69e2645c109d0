-- The message of each group, written by a job a moment after events, so that a text is found without reading all groups. Storing an event
-- writes nothing here; readers therefore also look at the groups that were seen since.
create table error_group_messages (
  group_id bigint primary key references error_groups on delete cascade,
  project_id bigint not null,
  -- The start of a long one, whose group is looked at by each search.
  message text not null,
  is_cut boolean not null
);
create index error_group_messages_project_id on error_group_messages (project_id);
create index error_group_messages_cut on error_group_messages (project_id) where is_cut;
create index error_group_messages_trigrams on error_group_messages
  using gin (message gin_trgm_ops) with (gin_pending_list_limit = 256);

-- The time up to which the messages of events are in `error_group_messages`. No row until the job has read all groups once.
create table error_group_messages_progress (
  is_only boolean primary key default true check (is_only),
  indexed_until timestamptz not null
);

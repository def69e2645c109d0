-- The level of a group's latest event.
alter table error_groups add column level text not null default 'error';

-- The ids that clients gave to events of the last seven days, so that an event that is sent twice is stored once, and so
-- that feedback finds the group of its event. A row outlives its group, because a foreign key would need an index that
-- every event updates; readers join error_groups.
create table error_event_ids (
  project_id bigint not null,
  event_id uuid not null,
  group_id bigint not null,
  received_at timestamptz not null,
  primary key (project_id, event_id)
);
create index error_event_ids_received_at on error_event_ids (received_at);

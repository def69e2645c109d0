-- The order of magnitude of a group's events: it grows by one when they grow by about 65%. Most events do not change it and so
-- touch no index; a list by events sorts only the rows of the same magnitude.
alter table error_groups add column events_magnitude smallint not null
  generated always as (floor(2 * ln(greatest(occurrence_count, 1)::double precision))::smallint) stored;
create index error_groups_events on error_groups (project_id, events_magnitude desc);

-- The row is only written when a group gets a new user, release or host.
create index error_group_counts_users on error_group_counts (users desc);

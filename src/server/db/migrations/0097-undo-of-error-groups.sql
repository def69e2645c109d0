-- What an error group was before a change that the person who made it may undo. The history entry of the change belongs to it: an undo
-- deletes both.
create table error_group_undos (
  activity_id bigint primary key references error_group_activity on delete cascade,
  group_id bigint not null references error_groups on delete cascade,
  user_id bigint not null references users on delete cascade,
  -- Chosen by the client, the same for all groups that were changed together.
  change_id uuid not null,
  -- The columns that the change may have replaced.
  before jsonb not null,
  -- The user whom the change made watch the group.
  watcher_id bigint,
  created_at timestamptz not null default clock_timestamp()
);
create index error_group_undos_change on error_group_undos (user_id, change_id);
create index error_group_undos_group_id on error_group_undos (group_id);

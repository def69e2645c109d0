-- Who works on an error group, who watches it, and what happened to it.
alter table error_groups
  add column assignee_id bigint references users on delete set null,
  -- The conditions that end a snooze, as the API shows them. Null unless the group is ignored until then.
  add column snoozed_until jsonb,
  -- The same conditions, as the statement that stores events compares them.
  add column snooze_ends_at timestamptz,
  add column snooze_ends_count bigint,
  -- 64-bit hashes of the users seen since the snooze, at most as many as end it. Null without such a condition.
  add column snooze_users bigint[],
  -- What the last batch of events changed: null for nothing, 2 for the end of a snooze.
  add column last_change smallint;
create index error_groups_assignee on error_groups (assignee_id, project_id, last_seen_span desc)
  where assignee_id is not null;
create index error_groups_snooze_ends_at on error_groups (snooze_ends_at) where snooze_ends_at is not null;

create table error_group_watchers (
  group_id bigint not null references error_groups on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (group_id, user_id)
);
create index error_group_watchers_user_id on error_group_watchers (user_id);

-- The history of a group. Groups from before have none.
create table error_group_activity (
  id bigint generated always as identity primary key,
  group_id bigint not null references error_groups on delete cascade,
  -- Null if an event or the passage of time caused it, or if the user was deleted.
  actor_id bigint references users on delete set null,
  kind text not null,
  "from" jsonb,
  "to" jsonb,
  created_at timestamptz not null default clock_timestamp()
);
create index error_group_activity_group_id on error_group_activity (group_id, id);

-- What happened to error groups while events were stored or a snooze ran out. A job notifies people of it, so that storing
-- events does not wait for rows that people change. New groups are in `new_error_groups`.
create table error_group_notices (
  id bigint generated always as identity primary key,
  group_id bigint not null references error_groups on delete cascade,
  -- 9 regressed, 11 snooze ended, 16 spike.
  type smallint not null check (type in (9, 11, 16)),
  -- The release of a regression, or the numbers of a spike.
  details jsonb not null
);
create index error_group_notices_group_id on error_group_notices (group_id);

-- The emails that each user gets about the errors of a project. The row also serves as the lock. It replaces
-- `error_group_digests`, which had one row per project and is no longer used.
create table error_digests (
  user_id bigint not null references users on delete cascade,
  project_id bigint not null references projects on delete cascade,
  -- When the last email was queued.
  queued_at timestamptz,
  -- When the next email is due. Null if nothing waits for it.
  due_at timestamptz,
  primary key (user_id, project_id)
);
create index error_digests_project_id on error_digests (project_id);
create index error_digests_due on error_digests (due_at) where due_at is not null;

-- The inbox entries that wait for the next email.
create table error_digest_entries (
  user_id bigint not null,
  project_id bigint not null,
  notification_id bigint not null references notifications on delete cascade,
  primary key (user_id, project_id, notification_id)
);
create index error_digest_entries_notification_id on error_digest_entries (notification_id);

-- For each line of an email the path that it links to, or null.
alter table mails add column line_paths text[];

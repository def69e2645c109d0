-- About how many bytes the events of the day added to the database, and how many events were counted without their details
-- because the project or their sender had used its share.
alter table project_usage
  add column stored_bytes bigint not null default 0,
  add column trimmed bigint not null default 0;

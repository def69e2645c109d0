-- The backups of this installation that were completed, for the age of the last one. Not part of a backup itself.
create table backups (
  id bigint generated always as identity primary key,
  -- A file, a folder or a store, without credentials; null for standard output.
  destination text,
  rows bigint not null,
  files bigint not null,
  -- Files that were missing or damaged.
  missing_files bigint not null,
  bytes bigint not null,
  -- The moment of the snapshot.
  made_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp()
);
create index backups_made_at on backups (made_at);

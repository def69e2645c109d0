-- Imports of files that were uploaded in the browser. A job checks each one with a dry run, and imports it when it is started.
create table imports (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  kind text not null,
  filename text not null,
  size bigint not null,
  state text not null default 'checking' check (state in ('checking', 'checked', 'importing', 'done')),
  -- Which column of the file is which field, which user is which person, and which project of the file is imported.
  columns text[] not null default '{}',
  map jsonb not null default '{}',
  people jsonb not null default '{}',
  from_project text,
  -- What the last dry run or run found: counts, people without an account, rows that were left out, and notes.
  counts jsonb,
  unmatched text[] not null default '{}',
  left_out jsonb not null default '[]',
  notes jsonb not null default '[]',
  error text,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Each change of the mapping makes a dry run that is still going on worthless.
  revision integer not null default 0,
  -- Until then, one process works on it.
  leased_until timestamptz
);
create index imports_project_id on imports (project_id, id);
create index imports_pending on imports (id) where state in ('checking', 'importing');

-- The uploaded file, until the import is done or a day old.
create table import_files (
  import_id bigint primary key references imports on delete cascade,
  storage_key text not null unique,
  size bigint not null,
  sha256 bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create index import_files_created_at on import_files (created_at);
create trigger import_files_file_deletions after delete on import_files
  referencing old table as gone for each statement execute function note_file_deletions();

-- Reports from people and from other systems, ranked in the order of the project's queue.
create table reports (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  title text not null,
  description text not null,
  source smallint not null check (source in (0, 1)),
  author_name text,
  created_by bigint references users on delete set null,
  promoted_issue_id bigint,
  promoted_at timestamptz,
  dismissed_at timestamptz,
  dismiss_reason text check (dismiss_reason in ('not-planned', 'duplicate', 'already-shipped', 'invalid')),
  dismiss_reason_note text,
  rank text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, id),
  -- A report stays promoted when its issue is deleted.
  foreign key (project_id, promoted_issue_id) references issues (project_id, id)
    on delete set null (promoted_issue_id),
  check (promoted_at is null or dismissed_at is null),
  check (promoted_at is not null or promoted_issue_id is null)
);
-- Ranks have no length limit but btree keys do (2,704 bytes): the first index sorts by a prefix, the second makes the
-- hash unique. The third is for the job that renumbers the few queues whose ranks have grown long.
create index reports_order on reports (project_id, left(rank, 64));
create unique index reports_rank_key on reports (project_id, md5(rank));
create index reports_long_ranks on reports (project_id) where length(rank) > 200;
create index reports_promoted_issue_id on reports (promoted_issue_id);

-- The file is stored before its row is inserted and removed after its row is deleted, so every row has a file. The
-- storage key is generated; the client's file name is only displayed.
create table attachments (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  report_id bigint not null,
  user_id bigint not null references users,
  filename text not null,
  mime_type text not null,
  size bigint not null,
  sha256 bytea not null,
  storage_key text collate "C" not null unique,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (project_id, report_id) references reports (project_id, id) on delete cascade
);
create index attachments_report_id on attachments (project_id, report_id, id);

-- Files whose rows are deleted, until the files are removed.
create table file_deletions (
  storage_key text collate "C" primary key,
  created_at timestamptz not null default clock_timestamp()
);

-- A trigger, because rows are also deleted by cascade from their report, project or workspace.
create function note_file_deletions() returns trigger language plpgsql as $$
begin
  insert into file_deletions (storage_key) select storage_key from gone on conflict do nothing;
  return null;
end $$;
create trigger attachments_file_deletions after delete on attachments
  referencing old table as gone for each statement execute function note_file_deletions();

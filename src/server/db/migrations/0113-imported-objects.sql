-- What imports created: how a repeated import recognizes it, and where it came from. Deleting the object forgets it.
create table imported_objects (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- The tracker that it came from, such as github.
  kind text not null,
  -- Its id there; the hash of one that is too long.
  source_id text collate "C" not null,
  issue_id bigint,
  report_id bigint,
  error_group_id bigint references error_groups on delete cascade,
  url text,
  -- People who have no account here.
  author_name text,
  assignee_name text,
  -- Votes for a report besides its author's.
  other_voices integer not null default 0 check (other_voices >= 0),
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(issue_id, report_id, error_group_id) = 1),
  unique (project_id, kind, source_id),
  foreign key (project_id, issue_id) references issues (project_id, id) on delete cascade,
  foreign key (project_id, report_id) references reports (project_id, id) on delete cascade
);
create index imported_objects_issue_id on imported_objects (issue_id) where issue_id is not null;
create index imported_objects_report_id on imported_objects (report_id) where report_id is not null;
-- Several groups of another tracker can be one here.
create index imported_objects_error_group_id on imported_objects (error_group_id) where error_group_id is not null;

-- The comments that were imported with an object. They stay listed when the comment is deleted, so that it does not return.
create table imported_comments (
  object_id bigint not null references imported_objects on delete cascade,
  source_id text collate "C" not null,
  primary key (object_id, source_id)
);

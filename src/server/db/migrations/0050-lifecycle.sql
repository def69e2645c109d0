-- What links reports, issues, errors and releases, off unless a project turns it on.
alter table projects
  add column close_resolves boolean not null default false,
  add column regression_reopens boolean not null default false,
  add column ship_tells_reporters boolean not null default false;

-- An issue can have many groups; the first one linked is its `error_group_id`.
drop index error_groups_linked_issue_id;
create index error_groups_linked_issue_id on error_groups (linked_issue_id) where linked_issue_id is not null;
alter table error_groups
  add column linked_at timestamptz,
  -- The issue whose closing resolved the group, as long as nobody has changed its status or assignee since.
  add column resolved_by_issue_id bigint;

-- Regressions of groups that are linked to an issue, for the job that reopens the issue.
create table issue_regressions (
  id bigint generated always as identity primary key,
  group_id bigint not null references error_groups on delete cascade,
  release text,
  regressed_at timestamptz not null
);
create index issue_regressions_group_id on issue_regressions (group_id);

-- For the job that verifies fixes, and for lists.
create index error_groups_unverified on error_groups (project_id) where status = 1 and verified_at is null;
create index error_groups_first_seen on error_groups (project_id, first_seen_at);
create index error_groups_level on error_groups (project_id, level, last_seen_span desc) where level <> 'error';

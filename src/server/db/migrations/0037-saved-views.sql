-- Entries of the sidebar: views of a list, which are parts of its address, and favorite issues and epics. A view without a
-- user is shared with everyone who can read that list in the project.
create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  -- Null for a list across all projects.
  project_id bigint references projects on delete cascade,
  page text not null check (page in
    ('my-issues', 'all-errors', 'issues', 'board', 'errors', 'triage', 'epics', 'issue', 'epic')),
  -- Null for a favorite, which has the title of its issue or epic.
  name text,
  search text not null default '',
  issue_id bigint,
  epic_id bigint,
  -- The order among a person's own views, or among those shared with the project.
  position integer not null,
  created_at timestamptz not null default clock_timestamp(),
  check ((project_id is null) = (page in ('my-issues', 'all-errors'))),
  check ((issue_id is not null) = (page = 'issue') and (epic_id is not null) = (page = 'epic')),
  check ((name is null) = (page in ('issue', 'epic'))),
  check (user_id is not null or (project_id is not null and name is not null)),
  foreign key (project_id, issue_id) references issues (project_id, id) on delete cascade,
  foreign key (project_id, epic_id) references epics (project_id, id) on delete cascade
);
create unique index saved_views_of_issue on saved_views (issue_id, user_id) where issue_id is not null;
create unique index saved_views_of_epic on saved_views (epic_id, user_id) where epic_id is not null;
create index saved_views_of_user on saved_views (user_id);
create index saved_views_of_project on saved_views (project_id);

-- When each person last had the home page open, and the end of the visit before that one.
create table home_visits (
  user_id bigint primary key references users on delete cascade,
  seen_at timestamptz not null,
  before_at timestamptz
);

-- What waits in a project is counted for every page and listed on the home page. These indexes hold only those rows. An
-- event changes none of their columns, so storing events does not touch them.
create index reports_waiting on reports (project_id, created_at) where promoted_at is null and dismissed_at is null;
create index error_groups_open on error_groups (project_id, regressed_at) where status = 0;
create index issues_open on issues (project_id) where closed_at is null;

-- Owners of the project's files, in the syntax of CODEOWNERS.
alter table projects add column code_owners text;

-- Git hosts that send webhooks to a project.
create table git_connections (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  host text not null check (host in ('github', 'gitlab', 'gitea')),
  name text,
  -- The last part of the address that the host sends to.
  token text collate "C" not null unique,
  secret bytea not null,
  -- The kind of the lane that issues move to when a request that names them is opened.
  on_open text check (on_open = 'doing'),
  last_delivery_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index git_connections_project_id on git_connections (project_id);

-- The time of the last delivery is left out.
create trigger live_insert after insert on git_connections referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on git_connections
  referencing old table as before_rows new table as touched
  for each statement execute function record_project_changes(
    'select t.project_id from touched t join before_rows b using (id)
    where (b.name, b.on_open) is distinct from (t.name, t.on_open)');
create trigger live_delete after delete on git_connections referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

-- What hosts have sent in the last 30 days, so that nothing is processed twice. A job processes deliveries in the order of their ids.
create table git_deliveries (
  id bigint generated always as identity primary key,
  connection_id bigint not null references git_connections on delete cascade,
  -- SHA-256 of the delivery's id.
  key bytea not null,
  event text not null,
  -- Null once it is processed, unless that failed.
  body text,
  error text,
  received_at timestamptz not null default clock_timestamp(),
  processed_at timestamptz,
  unique (connection_id, key)
);
alter table git_deliveries alter body set storage external;
create index git_deliveries_pending on git_deliveries (id) where processed_at is null;
create index git_deliveries_by_time on git_deliveries (received_at);

-- Commits on default branches, and other commits and requests that name issues or error groups.
create table git_changes (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  kind text not null check (kind in ('commit', 'request')),
  host text not null,
  repository text not null,
  -- The hash of a commit, or the number of a request.
  ref text collate "C" not null,
  title text not null,
  url text not null,
  author_name text,
  author_email text,
  -- What a commit changed on the default branch.
  files text[] not null default '{}',
  state text,
  review text,
  checks text,
  release text collate "C",
  -- The commit whose checks count: the commit itself, or the head of the request.
  head_hash text collate "C" not null,
  -- The commit with which a request was merged.
  merge_hash text collate "C",
  -- Of a request: whether someone was asked for a review, and the last review of each reviewer.
  is_review_requested boolean not null default false,
  reviews jsonb not null default '{}',
  -- When the host last changed the request.
  changed_at timestamptz,
  -- The place of a commit on the default branch, and the branch's head before the push. Null elsewhere.
  position bigint,
  pushed_onto text collate "C",
  pushed_at timestamptz,
  -- When the commit was made, or the request opened.
  created_at timestamptz not null,
  stored_at timestamptz not null default clock_timestamp(),
  unique (project_id, repository, kind, ref, host)
);
create index git_changes_position on git_changes (project_id, repository, position) where position is not null;
create index git_changes_unreleased on git_changes (project_id, repository, position)
  where position is not null and release is null;
create index git_changes_pushed_onto on git_changes (project_id, pushed_onto) where pushed_onto is not null;
create index git_changes_head on git_changes (project_id, head_hash);
create index git_changes_merge on git_changes (project_id, merge_hash) where merge_hash is not null;
create index git_changes_stored_at on git_changes (stored_at);
create index git_changes_pushed on git_changes (project_id, pushed_at) where position is not null;

-- The issues and error groups that commits and requests name.
create table git_links (
  change_id bigint not null references git_changes on delete cascade,
  issue_id bigint references issues on delete cascade,
  group_id bigint references error_groups on delete cascade,
  -- Whether a keyword, such as `fixes`, stands before the name.
  closes boolean not null,
  check (num_nonnulls(issue_id, group_id) = 1)
);
create unique index git_links_issue on git_links (issue_id, change_id) where issue_id is not null;
create unique index git_links_group on git_links (group_id, change_id) where group_id is not null;
create index git_links_change on git_links (change_id);

-- The latest run of each check of a commit. A check may finish before the commit is known.
create table git_checks (
  project_id bigint not null references projects on delete cascade,
  host text not null,
  repository text not null,
  hash text collate "C" not null,
  name text not null,
  -- Runs are numbered by the host. Of the states of a run, the one with the latest time counts.
  run bigint not null,
  changed_at timestamptz,
  state text not null check (state in ('pending', 'passing', 'failing')),
  received_at timestamptz not null default clock_timestamp(),
  primary key (project_id, hash, name, repository, host)
);
create index git_checks_by_time on git_checks (received_at);

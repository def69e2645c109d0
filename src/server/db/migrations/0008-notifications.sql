-- One row per user and event. Names and titles are copied and have no foreign keys, so an entry stays readable after its
-- issue, comment or team is deleted. It is deleted with its project and its reader.
create table notifications (
  id bigint generated always as identity primary key,
  -- No foreign key: checking it would lock a thousand watchers' rows one by one and take a fifth of the insert's time.
  -- The trigger below replaces it.
  user_id bigint not null,
  -- 1 assignment, 2 comment, 3 lane change, 4 mention, 5 project membership, 6 team membership, 7 report created.
  type smallint not null check (type between 1 and 7),
  message text not null,
  -- Null if the user was deleted.
  actor_id bigint,
  workspace_id bigint not null,
  -- No index, which would slow down every insert: only the deletion of a project searches by this column, and it may
  -- take long.
  project_id bigint references projects on delete cascade,
  issue_id bigint,
  issue_key text,
  issue_title text,
  team_id bigint,
  team_name text,
  comment_id bigint,
  read_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(project_id, team_id) = 1),
  check (num_nonnulls(issue_id, issue_key, issue_title) in (0, 3) and (issue_id is null or project_id is not null)),
  check (num_nonnulls(team_id, team_name) in (0, 2))
);
create index notifications_inbox on notifications (user_id, id);
create index notifications_unread on notifications (user_id, id) where read_at is null;
-- A user gets at most one entry per comment.
create unique index notifications_comment_key on notifications (comment_id, user_id) where comment_id is not null;

create function delete_inbox() returns trigger language plpgsql as $$
begin
  delete from notifications where user_id = old.id;
  return null;
end $$;
create trigger delete_inbox after delete on users for each row execute function delete_inbox();

-- The users who are notified of a project's new reports. Workspace administrators can watch without being members of the
-- project, so endLostWatches ends the watch when a membership ends. Leaving the workspace ends it by cascade.
create table report_watchers (
  project_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  primary key (project_id, user_id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
create index report_watchers_user_id on report_watchers (user_id);

-- One row per person and event. What it is about is written down as it was called: an entry stays readable when its
-- issue, comment or team is gone, so these have no foreign keys. With its project and its reader it goes.
create table notifications (
  id bigint generated always as identity primary key,
  -- No foreign key: checking it would lock the users of a thousand watchers one by one, a fifth of the time of telling
  -- them. The trigger below does what it would do.
  user_id bigint not null,
  -- 1 assignment, 2 comment, 3 lane change, 4 mention, 5 project membership, 6 team membership, 7 report created.
  type smallint not null check (type between 1 and 7),
  message text not null,
  -- Nobody, when the person is gone.
  actor_id bigint,
  workspace_id bigint not null,
  -- Without an index, which each entry would pay for: only the deletion of a project looks for them, and may take long.
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
-- Whoever a comment concerns twice is told once.
create unique index notifications_comment_key on notifications (comment_id, user_id) where comment_id is not null;

create function delete_inbox() returns trigger language plpgsql as $$
begin
  delete from notifications where user_id = old.id;
  return null;
end $$;
create trigger delete_inbox after delete on users for each row execute function delete_inbox();

-- Who is told of a project's new reports. Administrators of the workspace watch without being members of the project,
-- so the end of a membership ends a watch by endLostWatches; leaving the workspace does so here as well.
create table report_watchers (
  project_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  primary key (project_id, user_id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
create index report_watchers_user_id on report_watchers (user_id);

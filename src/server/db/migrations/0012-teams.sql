-- Teams get access to projects as a whole. As in 0002, the composite keys keep a team, its members, projects and roles
-- in one workspace.
create table teams (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces on delete cascade,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create unique index teams_name_key on teams (workspace_id, lower(name));

create table team_members (
  team_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (team_id, user_id),
  foreign key (workspace_id, team_id) references teams (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
create index team_members_user_id on team_members (user_id);

create table project_teams (
  project_id bigint not null,
  workspace_id bigint not null,
  team_id bigint not null,
  role_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, team_id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade,
  foreign key (workspace_id, team_id) references teams (workspace_id, id) on delete cascade,
  foreign key (workspace_id, role_id) references roles (workspace_id, id)
);
create index project_teams_team_id on project_teams (team_id);
create index project_teams_role_id on project_teams (role_id);
create index project_members_role_id on project_members (role_id);

-- A deactivated member loses access but keeps the row, so that their name stays on past actions.
alter table workspace_members add column deactivated_at timestamptz;

-- The single source of project permissions: one row for each way a user has access, so a user's permissions are the
-- union of their rows. Query it for one project, one user or both; each of its three parts then uses an index.
create view project_grants as
  select p.id as project_id, m.user_id, true as is_all, '{}'::text[] as permissions
  from workspace_members m
  join projects p on p.workspace_id = m.workspace_id
  where m.is_admin and m.deactivated_at is null
  union all
  select pm.project_id, pm.user_id, pm.is_owner, r.permissions
  from project_members pm
  join workspace_members m on m.workspace_id = pm.workspace_id and m.user_id = pm.user_id and m.deactivated_at is null
  join roles r on r.id = pm.role_id
  union all
  select pt.project_id, tm.user_id, false, r.permissions
  from project_teams pt
  join team_members tm on tm.team_id = pt.team_id
  join workspace_members m on m.workspace_id = tm.workspace_id and m.user_id = tm.user_id and m.deactivated_at is null
  join roles r on r.id = pt.role_id;

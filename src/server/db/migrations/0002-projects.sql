create table projects (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces on delete cascade,
  key text collate "C" not null unique,
  name text not null,
  description text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);

-- The composite keys make the database reject a member from outside the workspace and a role of another workspace.
create table project_members (
  project_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  role_id bigint not null,
  is_owner boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, user_id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade,
  foreign key (workspace_id, role_id) references roles (workspace_id, id)
);
create index project_members_user_id on project_members (user_id);

create table lanes (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  kind text not null check (kind in ('backlog', 'todo', 'doing', 'done')),
  position integer not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (project_id, id),
  -- Deferrable, so that it is checked at the end of a statement and one statement can move several lanes.
  unique (project_id, position) deferrable
);

create table project_tokens (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  last_four text not null,
  access text not null check (access in ('read', 'read_write')),
  active boolean not null default true,
  created_by bigint not null references users on delete cascade,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index project_tokens_project_id on project_tokens (project_id);

create table invitations (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces on delete cascade,
  email text not null,
  is_admin boolean not null,
  token_hash bytea not null unique,
  invited_by bigint references users on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);

create table invitation_projects (
  invitation_id bigint not null,
  workspace_id bigint not null,
  project_id bigint not null,
  role_id bigint not null,
  primary key (invitation_id, project_id),
  foreign key (workspace_id, invitation_id) references invitations (workspace_id, id) on delete cascade,
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade,
  foreign key (workspace_id, role_id) references roles (workspace_id, id) on delete cascade
);

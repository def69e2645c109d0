-- Everyone who can sign in. Each preference is a boolean column.
create table users (
  id bigint generated always as identity primary key,
  username text not null,
  email text not null,
  password_hash text,
  first_name text not null,
  last_name text not null,
  profile_picture jsonb,
  time_zone text not null default 'UTC',
  auto_watch_on_create boolean not null default true,
  auto_watch_on_assigned boolean not null default true,
  auto_watch_on_commented boolean not null default true,
  notify_mentions boolean not null default true,
  notify_assignment boolean not null default true,
  notify_project_membership boolean not null default true,
  notify_team_membership boolean not null default true,
  notify_watched_activity_email boolean not null default true,
  notify_report_activity_email boolean not null default true,
  notify_error_activity_email boolean not null default true,
  email_notifications_enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));

-- A browser session. The cookie holds 256 random bits; only their SHA-256 is stored.
create table sessions (
  id_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  user_agent text,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index sessions_user_id on sessions (user_id);

create table personal_tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  last_four text not null,
  write boolean not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index personal_tokens_user_id on personal_tokens (user_id);

create table workspaces (
  id bigint generated always as identity primary key,
  name text not null,
  reports_enabled boolean not null default true,
  error_tracking_enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table workspace_members (
  workspace_id bigint not null references workspaces on delete cascade,
  user_id bigint not null references users on delete cascade,
  is_admin boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, user_id)
);
create index workspace_members_user_id on workspace_members (user_id);

-- A workspace's named set of permissions, which are listed in src/shared/permissions.ts.
create table roles (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces on delete cascade,
  name text not null,
  permissions text[] not null,
  built_in boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create unique index roles_name_key on roles (workspace_id, lower(name));

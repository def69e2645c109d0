-- The email queue. Rows are inserted in the transaction of the event they report. A sender leases a due row by moving
-- due_at forward, so that no two processes send the same email and a crashed one's is sent again.
create table mails (
  id bigint generated always as identity primary key,
  -- The workspace whose administrators can see the email. No foreign key: a comment with a thousand watchers would wait
  -- for a thousand checks.
  workspace_id bigint not null,
  -- For recipients without an account. Others receive it at their address at the time of sending.
  user_id bigint references users on delete cascade,
  address text,
  subject text not null,
  lines text[] not null,
  button_label text not null,
  -- Set to null after sending if the link is a secret.
  button_path text,
  secret_link boolean not null,
  preference text,
  -- Stored, so that an email resent after a crash has the same Message-ID.
  message_id uuid not null default gen_random_uuid(),
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'kept')),
  attempts integer not null default 0,
  last_error text,
  due_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  check ((user_id is null) <> (address is null))
);
create index mails_due on mails (due_at) where state = 'queued';
create index mails_workspace_id on mails (workspace_id, id desc);
create index mails_user_id on mails (user_id);

-- New error groups that wait for their project's next digest email.
create table new_error_groups (
  error_group_id bigint primary key references error_groups on delete cascade,
  project_id bigint not null references projects on delete cascade
);
create index new_error_groups_project_id on new_error_groups (project_id);

-- When a project's last digest was queued. The row also serves as the lock.
create table error_group_digests (
  project_id bigint primary key references projects on delete cascade,
  queued_at timestamptz not null
);

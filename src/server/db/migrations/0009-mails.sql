-- Every mail, queued in the transaction of what it tells of: the row is the queue. A sender takes a due row by moving
-- due_at on (a lease), so that no two send the same mail and a crashed one's comes up again.
create table mails (
  id bigint generated always as identity primary key,
  -- Whose administrators may look. No foreign key: a comment with a thousand watchers waits for a thousand checks.
  workspace_id bigint not null,
  -- Whoever has an account gets it at the address of the moment of sending; address is for others.
  user_id bigint references users on delete cascade,
  address text,
  subject text not null,
  lines text[] not null,
  button_label text not null,
  -- null once a mail whose link is a secret was sent.
  button_path text,
  secret_link boolean not null,
  preference text,
  -- Fixed here: a mail that is sent again after a crash is the same mail to whoever gets it.
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

-- Error groups nobody has been mailed of yet; the next digest of their project takes them.
create table new_error_groups (
  error_group_id bigint primary key references error_groups on delete cascade,
  project_id bigint not null references projects on delete cascade
);
create index new_error_groups_project_id on new_error_groups (project_id);

-- When a project's last mail of new error groups was queued: the row is the lock as well.
create table error_group_digests (
  project_id bigint primary key references projects on delete cascade,
  queued_at timestamptz not null
);

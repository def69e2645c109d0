-- Identifies a session in lists without exposing its secret or the secret's hash.
alter table sessions add column id bigint generated always as identity unique;

alter table users
  add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  add column single_keys boolean not null default true;

-- Requests for a password reset. A background job looks up the account, so that response times do not reveal whether it
-- exists.
create table password_requests (
  id bigint generated always as identity primary key,
  email text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- At most one password reset link per user; a newer one replaces it.
create table password_resets (
  user_id bigint primary key references users on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);

-- Emails without a workspace, such as password reset links, are hidden from all administrators.
alter table mails alter column workspace_id drop not null;

-- The files of profile pictures. As with attachments, every row has a file. The name in the URL is a hash of the
-- content, so the content of a URL never changes.
create table profile_pictures (
  user_id bigint not null references users on delete cascade,
  format text not null check (format in ('avif', 'webp')),
  file_name text collate "C" not null,
  size bigint not null,
  storage_key text collate "C" not null unique,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, format)
);
create trigger profile_pictures_file_deletions after delete on profile_pictures
  referencing old table as gone for each statement execute function note_file_deletions();

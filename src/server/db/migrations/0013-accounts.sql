-- A session in a list needs a name that is neither its secret nor the secret's hash.
alter table sessions add column id bigint generated always as identity unique;

alter table users
  add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  add column single_keys boolean not null default true;

-- Whoever forgot a password, noted as it was asked: whether there is such an account is looked up by a background job,
-- so that the answer's time does not tell.
create table password_requests (
  id bigint generated always as identity primary key,
  email text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- The one link of a person that sets a new password: a newer one takes its place.
create table password_resets (
  user_id bigint primary key references users on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);

-- A mail of nobody's workspace, such as one with a link to a new password: no administrator sees it.
alter table mails alter column workspace_id drop not null;

-- The files of the pictures that users.profile_picture names. A row exists exactly when its file does, as with
-- attachments; the name in the address is a hash of the content, so that what is behind an address never changes.
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

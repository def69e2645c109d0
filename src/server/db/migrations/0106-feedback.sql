-- What visitors say about their reports, and what their page was. `author_email_confirmed`: the address belongs to the author.
alter table reports
  add column kind text check (kind in ('bug', 'idea', 'question')),
  add column author_email_confirmed boolean not null default false,
  add column origin jsonb;

alter table projects
  -- The last part of the public form's address. New each time the form is switched on, null while it is off.
  add column form_key text collate "C",
  -- The email that says that a report is done. Null: the default texts.
  add column done_subject text,
  add column done_message text,
  -- Signs the addresses of visitors whom the project's own app has signed in.
  add column identity_secret text;
create unique index projects_form_key on projects (form_key) where form_key is not null;

-- Challenges of public forms that were answered in the last ten minutes, so that each of them is accepted once.
create table used_challenges (
  -- SHA-256 of the challenge.
  key bytea primary key,
  used_at timestamptz not null default clock_timestamp()
);
create index used_challenges_used_at on used_challenges (used_at);

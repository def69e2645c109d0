-- Derives the addresses of pages for people without an account, such as those of status links, so that none are stored. 244
-- random bits.
create table server_secrets (
  id boolean primary key default true check (id),
  secret bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
);
insert into server_secrets default values;

alter table reports
  -- Part of the status link. A new link has the next generation, which ends the earlier one.
  add column link_generation integer not null default 0,
  add column link_revoked_at timestamptz;

-- What a report's author and the team write to each other. Other comments are internal. A message of the author has no user.
alter table comments
  add column is_public boolean not null default false,
  add column author_name text,
  alter column user_id drop not null,
  -- Not validated, because all rows have a user.
  add constraint comments_author_check check (user_id is not null or (is_public and report_id is not null)) not valid,
  add constraint comments_public_check check (not is_public or report_id is not null) not valid;

-- Only the images that the author sent are on the status page. Sentry's feedback has no user.
alter table attachments add column sent_with_report boolean not null default false;
update attachments a set sent_with_report = true from reports r
where r.id = a.report_id and r.source = 1 and a.comment_id is null
  and (a.user_id is null or a.created_at < r.created_at + interval '10 seconds');

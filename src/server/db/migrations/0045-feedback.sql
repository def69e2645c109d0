-- Keys the hashes of users that Sentry SDKs name, so that nobody can tell from the database who they are. 244 random bits.
alter table projects add column user_hash_secret bytea not null
  default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

-- How to reach the author of a report, and the error with which it came. The event may arrive after the report, so its
-- group may be found later. `feedback_key` identifies feedback that an SDK may send twice.
alter table reports
  add column author_email text,
  add column error_event_id uuid,
  add column error_group_id bigint references error_groups on delete set null,
  add column feedback_key bytea;
create unique index reports_feedback_key on reports (project_id, feedback_key) where feedback_key is not null;
create index reports_error_group_id on reports (error_group_id) where error_group_id is not null;
create index reports_without_group on reports (project_id) where error_event_id is not null and error_group_id is null;

-- Files that came with feedback have no user.
alter table attachments alter column user_id drop not null;

-- Rules of projects that remove personal data from events on arrival, in addition to those that apply in every project.
create table privacy_rules (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  -- Regular expressions in RE2 syntax. At least one of them.
  key_pattern text,
  value_pattern text,
  active boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  check (key_pattern is not null or value_pattern is not null)
);
create unique index privacy_rules_name on privacy_rules (project_id, lower(name));

create trigger live_insert after insert on privacy_rules referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on privacy_rules referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_delete after delete on privacy_rules referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

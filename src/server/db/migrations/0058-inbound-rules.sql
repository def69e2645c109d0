-- Rules of projects that drop events on arrival.
create table inbound_rules (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  kind text not null,
  -- A regular expression in RE2 syntax. Null for kinds that need none.
  pattern text,
  active boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);
create index inbound_rules_project_id on inbound_rules (project_id);

create trigger live_insert after insert on inbound_rules referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on inbound_rules referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_delete after delete on inbound_rules referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

-- How many events each rule dropped per UTC day. Written once a second by each process, which also deletes old days.
create table inbound_rule_drops (
  rule_id bigint not null references inbound_rules on delete cascade,
  day date not null,
  dropped bigint not null,
  primary key (rule_id, day)
);

-- Who and what is told of which errors, releases and reports, per project.
create table alert_rules (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  active boolean not null default true,
  "when" jsonb not null,
  kind text not null generated always as ("when" ->> 'kind') stored,
  "if" jsonb not null default '{}',
  "then" jsonb not null,
  -- 0: each occasion fires.
  every_minutes integer not null default 60,
  muted_until timestamptz,
  -- Its inbox entries have the type of its kind instead of type 17.
  is_default boolean not null default false,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index alert_rules_project_id on alert_rules (project_id);
create index alert_rules_kind on alert_rules (kind) where active;

create trigger live_insert after insert on alert_rules referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on alert_rules referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_delete after delete on alert_rules referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

-- In a table of its own, so that a firing neither waits for a change of the rule nor is one.
create table alert_rule_firings (
  rule_id bigint primary key references alert_rules on delete cascade,
  last_fired_at timestamptz not null
);

-- The last firing of a rule for each group, release, report or project.
create table alert_firings (
  rule_id bigint not null references alert_rules on delete cascade,
  subject_id bigint not null,
  fired_at timestamptz not null,
  -- The threshold was exceeded and people wait for the all-clear.
  is_open boolean not null default false,
  primary key (rule_id, subject_id)
);
create index alert_firings_fired_at on alert_firings (fired_at);
create index alert_firings_open on alert_firings (rule_id) where is_open;

-- Past ten-minute counts of groups of projects with rules that look back further than error_groups does. No foreign key: checking it
-- would wait for groups that are being merged or deleted. A job deletes old rows.
create table alert_group_counts (
  group_id bigint not null,
  span timestamptz not null,
  events integer not null,
  primary key (group_id, span)
);
create index alert_group_counts_span on alert_group_counts (span);

-- Events that meet the conditions of a rule about all events of a project. Written once a second by each process.
create table alert_rule_counts (
  rule_id bigint not null references alert_rules on delete cascade,
  span timestamptz not null,
  events bigint not null,
  primary key (rule_id, span)
);

-- New reports of projects with rules about them. A job takes them.
create table new_reports (
  report_id bigint primary key references reports on delete cascade,
  project_id bigint not null references projects on delete cascade
);
create index new_reports_project_id on new_reports (project_id);

-- What rules do to groups: a job promotes or assigns each in a transaction of its own, which locks the project first.
create table alert_actions (
  id bigint generated always as identity primary key,
  rule_id bigint not null references alert_rules on delete cascade,
  group_id bigint not null references error_groups on delete cascade,
  action jsonb not null
);
create index alert_actions_rule_id on alert_actions (rule_id);
create index alert_actions_group_id on alert_actions (group_id);

-- What waits for a user's next email about a project without being in the inbox.
create table emailed_alerts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  project_id bigint not null references projects on delete cascade,
  type smallint not null,
  message text not null,
  error_group_id bigint references error_groups on delete cascade,
  report_id bigint references reports on delete cascade
);
create index emailed_alerts_user_id on emailed_alerts (user_id, project_id);
create index emailed_alerts_project_id on emailed_alerts (project_id);
create index emailed_alerts_error_group_id on emailed_alerts (error_group_id);
create index emailed_alerts_report_id on emailed_alerts (report_id);

-- Every project begins with these, whoever inserts it. Servers of the previous version do not know of rules.
create function add_default_alert_rules(project_ids bigint[]) returns void language sql as $$
  insert into alert_rules (project_id, name, "when", "then", every_minutes, is_default)
  select project_id, name, jsonb_build_object('kind', kind), jsonb_build_array(
    jsonb_build_object('to', 'inbox', 'recipients', recipients), jsonb_build_object('to', 'email', 'recipients', recipients)),
    0, true
  from unnest(project_ids) project_id cross join (values
    (1, 'New errors', 'new_group', jsonb '["watchers"]'),
    (2, 'Regressions', 'regression', jsonb '["watchers", "assignee"]'),
    (3, 'Spikes', 'spike', jsonb '["watchers"]')
  ) as rule (place, name, kind, recipients)
  order by project_id, place
$$;
create function add_alert_rules_of_new_projects() returns trigger language plpgsql as $$
begin
  perform add_default_alert_rules(array(select id from added));
  return null;
end $$;
create trigger add_default_alert_rules after insert on projects
  referencing new table as added for each statement execute function add_alert_rules_of_new_projects();

select add_default_alert_rules(array(select id from projects));

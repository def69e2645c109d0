-- What happened to a report. Reports that a process of the version before changes get no entries for that.
create table report_activity (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  report_id bigint not null,
  -- Null if it is unknown, or if the user was deleted.
  actor_id bigint references users on delete set null,
  kind text not null,
  "from" jsonb,
  "to" jsonb,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (project_id, report_id) references reports (project_id, id) on delete cascade
);
create index report_activity_report_id on report_activity (project_id, report_id, id);
-- For the people who worked on the project.
create index report_activity_actor_id on report_activity (actor_id, project_id);

-- Whether the report was promoted to an issue that existed. Before, each promotion created its issue.
alter table reports add column added_to_issue boolean not null default false;

-- What is known of reports from before.
insert into report_activity (project_id, report_id, actor_id, kind, "to", created_at)
select project_id, report_id, actor_id, kind, "to", created_at
from (
  select project_id, id as report_id, created_by as actor_id, 'created' as kind, null::jsonb as "to", created_at, 1 as step from reports
  union all
  select project_id, id, null, 'promoted', to_jsonb(promoted_issue_id), promoted_at, 2 from reports where promoted_at is not null
  union all
  select project_id, report_id, null, 'dismissed', jsonb_build_object('reason', dismiss_reason, 'note', dismiss_reason_note,
    'duplicate_of', case when num_nonnulls(duplicate_of_report_id, duplicate_of_issue_id) > 0
      then jsonb_build_object('report_id', duplicate_of_report_id, 'issue_id', duplicate_of_issue_id) end), dismissed_at, 2
  from (
    select project_id, id as report_id, dismiss_reason, dismiss_reason_note, duplicate_of_report_id, duplicate_of_issue_id, dismissed_at
    from reports where dismissed_at is not null
    union all
    select project_id, report_id, dismiss_reason, dismiss_reason_note, duplicate_of_report_id, duplicate_of_issue_id, dismissed_at
    from report_dismissals
  ) d
  union all
  select project_id, report_id, restored_by, 'restored', null, restored_at, 3 from report_dismissals
) known
order by created_at, step;

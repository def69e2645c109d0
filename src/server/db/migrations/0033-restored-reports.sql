-- What a dismissed report duplicates, if that is known: a report or an issue of the same project.
alter table reports
  add column duplicate_of_report_id bigint references reports on delete set null,
  add column duplicate_of_issue_id bigint references issues on delete set null;
-- For the foreign keys.
create index reports_duplicate_of_report_id on reports (duplicate_of_report_id) where duplicate_of_report_id is not null;
create index reports_duplicate_of_issue_id on reports (duplicate_of_issue_id) where duplicate_of_issue_id is not null;

-- The dismissals of reports that were returned to the queue. A recorded dismissal is never overwritten.
create table report_dismissals (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  report_id bigint not null,
  dismissed_at timestamptz not null,
  dismiss_reason text,
  dismiss_reason_note text,
  duplicate_of_report_id bigint references reports on delete set null,
  duplicate_of_issue_id bigint references issues on delete set null,
  restored_at timestamptz not null default clock_timestamp(),
  restored_by bigint references users on delete set null,
  foreign key (project_id, report_id) references reports (project_id, id) on delete cascade
);
create index report_dismissals_report_id on report_dismissals (project_id, report_id, id);
create index report_dismissals_duplicate_of_report_id on report_dismissals (duplicate_of_report_id)
  where duplicate_of_report_id is not null;
create index report_dismissals_duplicate_of_issue_id on report_dismissals (duplicate_of_issue_id)
  where duplicate_of_issue_id is not null;
create index report_dismissals_restored_by on report_dismissals (restored_by);

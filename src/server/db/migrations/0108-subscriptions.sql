-- Addresses of people outside the team that get news of a report.
create table report_subscriptions (
  id bigint generated always as identity primary key,
  report_id bigint not null references reports on delete cascade,
  -- In lower case.
  email text not null,
  -- Null until the address is confirmed, and after unsubscribing.
  confirmed_at timestamptz,
  -- Links to confirm are valid for seven days from then on.
  requested_at timestamptz not null default clock_timestamp(),
  -- Part of the links. Unsubscribing begins a new one, with which earlier links no longer confirm.
  generation int not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  unique (report_id, email)
);
create index report_subscriptions_by_email on report_subscriptions (email);

-- Pages that list the reports of a confirmed address in a project. The link is derived from the row, so deleting it ends the link.
create table my_reports_pages (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (project_id, email)
);

alter table mails
  -- For emails to people outside the team. No foreign key: an email may outlive its subscription.
  add column subscription_id bigint,
  -- The email asks to confirm the address. Others require that it is confirmed.
  add column asks_to_confirm boolean not null default false,
  -- Pages that the email links to.
  add column unsubscribe_path text,
  add column my_reports_path text;

-- The promoted reports that are not known to be done, whether or not they have a creator.
create index reports_undone on reports (project_id, promoted_issue_id)
  where promoted_issue_id is not null and released_at is null;
drop index reports_unreleased;

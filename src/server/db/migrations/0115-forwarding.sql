-- The DSN of another Sentry-compatible server, to which the project's accepted envelopes are also sent.
alter table projects add column forward_dsn text;

-- What was sent there since the DSN was set, by all processes.
create table project_forwarding (
  project_id bigint primary key references projects on delete cascade,
  since timestamptz not null default clock_timestamp(),
  sent bigint not null default 0,
  failed bigint not null default 0,
  dropped bigint not null default 0,
  last_error text
);

-- The last time when a project sent more events than could be stored, so that events were not kept in full or were rejected
-- with 503. `last_at` is written once a second while it lasts.
create table project_storms (
  project_id bigint primary key references projects on delete cascade,
  started_at timestamptz not null,
  last_at timestamptz not null
);

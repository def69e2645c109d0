-- How many events each project sent per UTC day, by what became of them. Written once a second by each process.
create table project_usage (
  project_id bigint not null references projects on delete cascade,
  day date not null,
  accepted bigint not null,
  -- Those of the accepted ones that were kept in full.
  kept bigint not null,
  limited bigint not null,
  invalid bigint not null,
  filtered bigint not null,
  duplicate bigint not null,
  discarded bigint not null,
  primary key (project_id, day)
);

-- The groups with the most impact of each project with many groups, written by a job every few minutes, so that a list by impact
-- does not read all groups of the day. No row is written while events are stored.
create table error_group_rankings (
  project_id bigint primary key references projects on delete cascade,
  group_ids bigint[] not null,
  -- The last of `group_ids`. Groups that are not among them and without events since come after this impact and id, because impact only
  -- falls without events.
  least_impact bigint not null,
  least_id bigint not null,
  ranked_at timestamptz not null
);

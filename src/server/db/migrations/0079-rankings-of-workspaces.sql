-- The groups with the most impact of all projects of a workspace with many projects, for those who read most of them.
-- Like those of `error_group_rankings`, written by the same job.
create table workspace_error_group_rankings (
  workspace_id bigint primary key references workspaces on delete cascade,
  group_ids bigint[] not null,
  least_impact bigint not null,
  least_id bigint not null,
  ranked_at timestamptz not null
);

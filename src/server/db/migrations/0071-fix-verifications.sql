-- Up to which time a project's resolved groups and releases were looked at for fixes that have run long enough, so that the job only
-- looks at those that have become old enough since. Written by the job when there are some.
create table fix_verifications (
  project_id bigint primary key references projects on delete cascade,
  checked_until timestamptz not null,
  -- When a release got an earlier time; all groups are looked at again.
  changed_at timestamptz
);

create index error_groups_unverified_by_time on error_groups (project_id, resolved_at, id)
  where status = 1 and verified_at is null;
drop index error_groups_unverified;

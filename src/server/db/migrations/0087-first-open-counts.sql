-- In a migration of its own, so that it locks nothing while it counts. The triggers have recorded all changes since the one before,
-- so this statement subtracts those that it has counted itself.
insert into open_counts (project_id, open_errors, regressed_errors, open_issues)
select project_id, sum(open_errors), sum(regressed_errors), sum(open_issues) from (
  select project_id, count(*) as open_errors, count(regressed_at) as regressed_errors, 0 as open_issues
  from error_groups where status = 0 group by project_id
  union all
  select project_id, 0, 0, count(*) from issues where closed_at is null group by project_id
  union all
  select project_id, -open_errors, -regressed_errors, -open_issues from open_counts
) known group by project_id
having sum(open_errors) <> 0 or sum(regressed_errors) <> 0 or sum(open_issues) <> 0;

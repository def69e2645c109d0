-- Without a transaction. Repeatable.
-- The groups that a release fixed. Events change none of these columns but the status, so their updates stay within the page. The hash
-- keeps long versions out of the index.
drop index concurrently if exists error_groups_fixed;
create index concurrently error_groups_fixed on error_groups (
  project_id, hashtextextended(coalesce(resolved_in_release, resolved_after_release), 0)
) where status = 1 and resolved_in is distinct from 'next_release'
  and coalesce(resolved_in_release, resolved_after_release) is distinct from resolved_release;

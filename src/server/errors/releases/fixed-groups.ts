import { sql, type RawBuilder } from "kysely";

/**
 * For `where`: whether the release is the one that fixed the group `g`. The group is resolved, and the resolution names the
 * release, or names none and was made while the release was the latest one. A release does not fix a group that was last seen in
 * it. Uses the index `error_groups_fixed`.
 */
export const isFixedIn = (projectId: RawBuilder<unknown>, version: RawBuilder<unknown>) => sql`
  g.project_id = ${projectId} and g.status = 1 and g.resolved_in is distinct from 'next_release'
  and hashtextextended(coalesce(g.resolved_in_release, g.resolved_after_release), 0) = hashtextextended(${version}, 0)
  and coalesce(g.resolved_in_release, g.resolved_after_release) = ${version}
  and coalesce(g.resolved_in_release, g.resolved_after_release) is distinct from g.resolved_release`;

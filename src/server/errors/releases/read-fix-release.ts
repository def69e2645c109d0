import { sql } from "kysely";
import type { z } from "zod";
import type { fixReleaseQuery, FixRelease } from "../../../shared/releases.ts";
import type { Db } from "../../db/connect.ts";
import { releaseOfFixes } from "./release-of-issue.ts";

/**
 * The first release that contains the fixes of all these error groups; without groups, the first release after `closed_at`.
 * Null if there is none yet, or if one of the groups is not resolved or not in the project.
 */
export async function readFixRelease(
  db: Db,
  projectId: number,
  { error_group_ids = [], closed_at }: z.output<typeof fixReleaseQuery>,
): Promise<FixRelease> {
  if (error_group_ids.length === 0 && closed_at === undefined) return { version: null, first_seen_at: null };
  const fixes =
    error_group_ids.length === 0
      ? sql`select true as is_fixed, ${closed_at}::timestamptz as at, null::text as named`
      : sql`select coalesce(g.status = 1, false) as is_fixed, g.resolved_at as at, g.resolved_in_release as named
          from unnest(${error_group_ids}::bigint[]) one (id)
          left join error_groups g on g.id = one.id and g.project_id = ${projectId}`;
  const { rows } = await sql<FixRelease>`${releaseOfFixes(sql`${projectId}::bigint`, fixes)}`.execute(db);
  return rows[0] ?? { version: null, first_seen_at: null };
}

import { sql } from "kysely";
import type { Home } from "../../shared/home.ts";
import type { Db } from "../db/connect.ts";
import type { ReadableProjects } from "../search/readable-projects.ts";

/** What a person does first, and whether it was done in any of the projects. */
export async function readFirstSteps(
  db: Db,
  userId: number,
  { error_group, report, issue }: ReadableProjects,
): Promise<Home["first_steps"]> {
  const { rows } = await sql<Home["first_steps"]>`
    select ${hasAny("error_groups", error_group)} as has_error, ${hasAny("reports", report)} as has_report,
      ${hasAny("issues", issue)} as has_issue, (
        select bool_or(
          exists (
            select from workspace_members other
            where other.workspace_id = own.workspace_id and other.user_id <> own.user_id and other.deactivated_at is null
          ) or exists (select from invitations i where i.workspace_id = own.workspace_id and i.expires_at > now())
        )
        from workspace_members own
        where own.user_id = ${userId} and own.is_admin and own.deactivated_at is null
      ) as has_invited`.execute(db);
  const [steps] = rows;
  if (!steps) throw new Error("a query without a condition returned no row");
  return steps;
}

/** One index lookup per project until one has a row. Null without any project. */
function hasAny(table: "error_groups" | "reports" | "issues", projectIds: number[]) {
  if (projectIds.length === 0) return sql`null::boolean`;
  return sql`exists (
    select from unnest(${projectIds}::bigint[]) p(id)
    cross join lateral (select from ${sql.table(table)} where project_id = p.id limit 1) first
  )`;
}

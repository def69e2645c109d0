import { sql } from "kysely";
import type { ProjectPerson } from "../../../shared/projects.ts";
import { usersWhere } from "../../access/access.ts";
import type { Db } from "../../db/connect.ts";
import { afterId, page, type Page, type PageQuery } from "../../answers/page.ts";

/**
 * Everybody who can access the project, by user id: members, members of its teams, and the workspace's administrators.
 * They can be mentioned, and issues be assigned to them.
 */
export async function listProjectPeople(
  db: Db,
  project: { id: number; workspace_id: number },
  query: PageQuery,
): Promise<Page<ProjectPerson>> {
  const rows = await db
    .selectFrom("users as u")
    .select(["u.id as user_id", "u.username", "u.first_name", "u.last_name", "u.profile_picture"])
    .where(sql<boolean>`u.id in (${usersWhere(project)})`)
    .where("u.id", ">", afterId(query))
    .orderBy("u.id")
    .limit(query.limit + 1)
    .execute();
  return page(rows as ProjectPerson[], query, (row) => row.user_id);
}

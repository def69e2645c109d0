import { sql } from "kysely";
import type { ProjectPerson } from "../../../../shared/projects.ts";
import { usersWhere } from "../../../access/access-queries.ts";
import type { Db } from "../../../db/connect.ts";
import type { Page } from "../../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../../answers/page.ts";

/**
 * The users who can access the project, by user id: its members, the members of its teams, and the administrators of the
 * workspace. They can be mentioned and assigned.
 */
export function listProjectPeople(
  db: Db,
  project: { id: number; workspace_id: number },
  query: PageQuery,
): Promise<Page<ProjectPerson>> {
  const rows = db
    .selectFrom("users as u")
    .select(["u.id as user_id", "u.username", "u.first_name", "u.last_name", "u.profile_picture"])
    .where(sql<boolean>`u.id in (${usersWhere(project)})`)
    .$castTo<ProjectPerson>();
  return readPage(rows, query, "u.id", { key: "user_id" });
}

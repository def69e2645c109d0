import { sql } from "kysely";
import type { ProjectPerson } from "../../../../shared/projects.ts";
import type { ProjectRef } from "../../../access/access-queries.ts";
import type { Db } from "../../../db/connect.ts";
import type { Page } from "../../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../../answers/page.ts";

/**
 * Everybody whose work is in the project but who can no longer access it, by user id. They keep their names there. Each user is
 * looked for by index among the rows of which a project may have hundreds of thousands.
 */
export function listFormerPeople(
  db: Db,
  project: ProjectRef,
  query: PageQuery,
): Promise<Page<ProjectPerson>> {
  const ofProject = sql`project_id = ${project.id}`;
  // The minimum of a range makes PostgreSQL use the index. Where few people have many rows, it would otherwise expect to find one soon by
  // reading the table.
  const isIn = (table: string, column: string) => sql`(
    select min(project_id) from ${sql.table(table)}
    where ${sql.ref(column)} = u.id and project_id between ${project.id} and ${project.id}) is not null`;
  const rows = db
    .selectFrom("users as u")
    .select(["u.id as user_id", "u.username", "u.first_name", "u.last_name", "u.profile_picture"])
    .where(
      sql<boolean>`(u.id in (
        select l.user_id from comment_likes l join comments c on c.id = l.comment_id where c.${ofProject}
        union select created_by from reports where ${ofProject}
        union select unnest(array[created_by, owner_id]) from epics where ${ofProject}
        union select created_by from ingest_keys where ${ofProject})
        or ${sql.join(
          Object.entries(MANY).flatMap(([table, columns]) => columns.map((column) => isIn(table, column))),
          sql` or `,
        )})`,
    )
    .where(
      sql<boolean>`not exists (select from project_grants g where g.user_id = u.id and g.project_id = ${project.id})`,
    )
    .$castTo<ProjectPerson>();
  return readPage(rows, query, "u.id", { key: "user_id" });
}

/** Tables with an index of each of these columns and the project. */
const MANY = {
  issues: ["created_by", "assignee_id"],
  comments: ["user_id"],
  issue_activity: ["actor_id"],
  error_groups: ["assignee_id", "resolved_by_id"],
  error_group_activity: ["actor_id"],
};

import { sql } from "kysely";
import type { ProjectPerson } from "../../../../shared/projects.ts";
import type { ProjectRef } from "../../../access/access-queries.ts";
import type { Db } from "../../../db/connect.ts";
import type { Page } from "../../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../../answers/page.ts";

/**
 * The users who worked on the project but can no longer access it, by user id. Their names are still shown there. Looks up each
 * user by index, because a project may have hundreds of thousands of rows.
 */
export function listFormerPeople(
  db: Db,
  project: ProjectRef,
  query: PageQuery,
): Promise<Page<ProjectPerson>> {
  const ofProject = sql`project_id = ${project.id}`;
  // Selecting a minimum makes PostgreSQL use the index. If few people have many rows, it would otherwise scan the table, expecting
  // to find a row soon.
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
  report_activity: ["actor_id"],
};

import { sql } from "kysely";
import type { ProjectPerson } from "../../../../shared/projects.ts";
import type { ProjectRef } from "../../../access/access-queries.ts";
import type { Db } from "../../../db/connect.ts";
import type { Page } from "../../../../shared/answers.ts";
import { readPage, type PageQuery } from "../../../answers/page.ts";

/**
 * Everybody whose work is in the project but who can no longer access it, by user id. They keep their names there. Each user is
 * looked for among the error groups by index, because a project may have a hundred thousand.
 */
export function listFormerPeople(
  db: Db,
  project: ProjectRef,
  query: PageQuery,
): Promise<Page<ProjectPerson>> {
  const ofProject = sql`project_id = ${project.id}`;
  const rows = db
    .selectFrom("users as u")
    .select(["u.id as user_id", "u.username", "u.first_name", "u.last_name", "u.profile_picture"])
    .where(
      sql<boolean>`(u.id in (
        select unnest(array[created_by, assignee_id]) from issues where ${ofProject}
        union select a.actor_id from issue_activity a join issues i on i.id = a.issue_id where i.${ofProject}
        union select user_id from comments where ${ofProject}
        union select l.user_id from comment_likes l join comments c on c.id = l.comment_id where c.${ofProject}
        union select created_by from reports where ${ofProject}
        union select unnest(array[created_by, owner_id]) from epics where ${ofProject}
        union select created_by from ingest_keys where ${ofProject})
        or (select true from error_groups where assignee_id = u.id and ${ofProject} limit 1)
        or (select true from error_groups where resolved_by_id = u.id and ${ofProject} limit 1)
        or (select true from error_group_activity where actor_id = u.id and ${ofProject} limit 1))`,
    )
    .where(
      sql<boolean>`not exists (select from project_grants g where g.user_id = u.id and g.project_id = ${project.id})`,
    )
    .$castTo<ProjectPerson>();
  return readPage(rows, query, "u.id", { key: "user_id" });
}

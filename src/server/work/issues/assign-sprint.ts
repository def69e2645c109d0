import { sql } from "kysely";
import type { z } from "zod";
import type { Issue, sprintAssignment } from "../../../shared/issues.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";
import { noteIssueChanges } from "../../record/issue-events.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { completed, type IssueRow, issueColumns } from "./read-issue.ts";
import { requireReferences, type ProjectRef } from "./references.ts";

/**
 * Moves issues to a sprint, or out of theirs, with one statement, and records it in the history of each issue that
 * changes. Either all of them move or none: 422 on every id that is not in the project.
 */
export async function assignSprint(
  db: Db,
  project: ProjectRef,
  actorId: number,
  { issue_ids, sprint_id }: z.output<typeof sprintAssignment>,
): Promise<{ data: Issue[] }> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    await requireReferences(tx, project, { sprint_id });
    await requireIssues(tx, project.id, issue_ids);
    const changed = await sql<{ issue_id: number; from: number | null }>`
      with before as (
        select id, sprint_id from issues
        where id = any(${issue_ids}::bigint[]) and sprint_id is distinct from ${sprint_id}::bigint
        order by id for no key update
      ), moved as (
        update issues i set sprint_id = ${sprint_id}::bigint, updated_at = clock_timestamp()
        from before b where i.id = b.id
        returning i.id, b.sprint_id as before
      )
      insert into issue_activity (issue_id, actor_id, kind, "from", "to")
      select id, ${actorId}, 'sprint_id', to_jsonb(before), to_jsonb(${sprint_id}::bigint) from moved
      order by id
      returning issue_id, "from"`.execute(tx);
    noteIssueChanges(
      tx,
      changed.rows.map((row) => ({ ...row, kind: "sprint_id", to: sprint_id })),
    );
    const { rows } = await sql<IssueRow>`
      select ${issueColumns(actorId)} from issues i join projects p on p.id = i.project_id
      where i.id = any(${issue_ids}::bigint[]) order by i.id`.execute(tx);
    return { data: await completed(tx, rows) };
  });
}

async function requireIssues(tx: Tx, projectId: number, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from issues where project_id = ${projectId} and id = any(${ids}::bigint[])`.execute(tx);
  const known = new Set(rows.map(({ id }) => id));
  const errors: FieldErrors = {};
  for (const [index, id] of ids.entries())
    if (!known.has(id)) errors[`issue_ids.${index}`] = ["is not an issue of the project"];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

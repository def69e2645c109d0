import { sql } from "kysely";
import type { Tx } from "../../../db/connect.ts";
import { lockProject } from "../../../people/projects/lock-project.ts";
import { writeGitLinks } from "./write-git-links.ts";

/**
 * Creates issues. `keepsPlaces`: the project has only issues of this export, so they keep their numbers and their places in the
 * lanes; otherwise they get new numbers and follow the issues that the lanes have. Relations between issues are noted for later.
 */
export async function writeIssues(
  tx: Tx,
  { projectId, keepsPlaces }: { projectId: number; keepsPlaces: boolean },
  lines: string,
): Promise<void> {
  await lockProject(tx, projectId);
  const s = sql`jsonb_populate_recordset(null::issues, ${lines}::jsonb) s`;
  await sql`
    insert into source_ids
    select 'issues', s.id, nextval(pg_get_serial_sequence('issues', 'id')), true from ${s} order by s.id`.execute(
    tx,
  );
  await sql`
    with p as (select greatest(last_issue_number, (
        select coalesce(max(s.number), 0) from ${s} where ${keepsPlaces})) as last from projects where id = ${projectId}),
    added as (
      insert into issues (id, project_id, number, title, description, type, priority, lane_id, rank, assignee_id, created_by,
        sprint_id, epic_id, estimated_minutes, created_at, updated_at, closed_at, due_on)
      overriding system value
      select pg_temp.target('issues', s.id), ${projectId},
        case when ${keepsPlaces} and not exists (select from issues x where x.project_id = ${projectId} and x.number = s.number)
          then s.number else p.last + row_number() over (order by s.id) end,
        left(s.title, 255), left(s.description, 65535), s.type, s.priority, l.id,
        coalesce(e.rank || s.rank || '01', s.rank),
        pg_temp.person(s.assignee_id), pg_temp.person(s.created_by), pg_temp.target('sprints', s.sprint_id),
        pg_temp.target('epics', s.epic_id), s.estimated_minutes, s.created_at, s.updated_at,
        case when l.kind = 'done' then coalesce(s.closed_at, s.updated_at) end, s.due_on
      from ${s} cross join p
      left join lanes l on l.id = pg_temp.target('lanes', s.lane_id)
      left join lane_ends e on e.lane_id = l.id
      returning number
    )
    update projects set last_issue_number = greatest(last_issue_number, (select max(number) from added))
    where id = ${projectId}`.execute(tx);
  await sql`
    insert into issue_labels (project_id, issue_id, label_id)
    select distinct ${projectId}::bigint, pg_temp.target('issues', (l ->> 'id')::bigint), pg_temp.target('labels', label::bigint)
    from jsonb_array_elements(${lines}::jsonb) l cross join lateral jsonb_array_elements_text(l -> 'label_ids') label`.execute(
    tx,
  );
  await noteLinks(tx, lines);
  await writeGitLinks(tx, projectId, "issues", lines);
}

/** Of two related issues, one may come later in the export. */
async function noteLinks(tx: Tx, lines: string): Promise<void> {
  const lists = { blocks: "blocked_by_ids", relations: "relates_to_ids" };
  const single = { parent: "parent_id", duplicate: "duplicate_of_id" };
  for (const [kind, field] of Object.entries(lists))
    await sql`
      insert into source_links
      select ${kind}, (l ->> 'id')::bigint, other::bigint
      from jsonb_array_elements(${lines}::jsonb) l cross join lateral jsonb_array_elements_text(l -> ${field}) other
      on conflict do nothing`.execute(tx);
  for (const [kind, field] of Object.entries(single))
    await sql`
      insert into source_links
      select ${kind}, (l ->> 'id')::bigint, (l ->> ${field})::bigint from jsonb_array_elements(${lines}::jsonb) l
      where l ->> ${field} is not null`.execute(tx);
}

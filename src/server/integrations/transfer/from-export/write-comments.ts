import { sql, type RawBuilder } from "kysely";
import type { Db, Tx } from "../../../db/connect.ts";

const MAX_COMMENT = 10_000;

const TARGETS = {
  issue_id: "issues",
  epic_id: "epics",
  error_group_id: "error_groups",
  report_id: "reports",
} as const;

/** The ids, in the export, of the comments that were imported before. An epic's are recognized by their time. */
export async function findKnownComments(
  db: Db,
  projectId: number,
  origin: string,
  lines: string,
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select s.id from jsonb_populate_recordset(null::comments, ${lines}::jsonb) s
    where exists (
      select from imported_objects o join imported_comments c on c.object_id = o.id
      where o.project_id = ${projectId} and o.kind = 'signalbox' and c.source_id = s.id::text
        and o.source_id = ${`${origin} `} || case when s.issue_id is not null then 'issues ' || s.issue_id
          when s.report_id is not null then 'reports ' || s.report_id else 'error_groups ' || s.error_group_id end
    ) or (s.epic_id is not null and exists (
      select from comments c where c.project_id = ${projectId} and c.epic_id is not null and c.created_at = s.created_at))`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Creates comments with their likes. Those of people without an account belong to `fallbackAuthorId`, and name them. */
export async function writeComments(
  tx: Tx,
  { projectId, origin, fallbackAuthorId }: { projectId: number; origin: string; fallbackAuthorId: number },
  lines: string,
): Promise<void> {
  const s = sql`jsonb_populate_recordset(null::comments, ${lines}::jsonb) s`;
  const target = (column: keyof typeof TARGETS): RawBuilder<unknown> =>
    sql`pg_temp.target(${sql.lit(TARGETS[column])}, ${sql.ref(`s.${column}`)})`;
  await sql`
    insert into source_ids
    select 'comments', s.id, nextval(pg_get_serial_sequence('comments', 'id')), true from ${s} order by s.id`.execute(
    tx,
  );
  await sql`
    insert into comments (id, project_id, issue_id, epic_id, error_group_id, report_id, parent_id, user_id, content, is_pinned,
      created_at, is_public, author_name)
    overriding system value
    select pg_temp.target('comments', s.id), ${projectId}, ${target("issue_id")}, ${target("epic_id")},
      ${target("error_group_id")}, ${target("report_id")}, pg_temp.target('comments', s.parent_id),
      case when s.user_id is not null then coalesce(pg_temp.person(s.user_id), ${fallbackAuthorId}) end,
      left(coalesce('**' || pg_temp.unmatched(s.user_id) || '** wrote:' || e'\n\n', '') || s.content, ${MAX_COMMENT}),
      s.is_pinned and not exists (
        select from comments c where c.is_pinned and (c.issue_id = ${target("issue_id")} or c.epic_id = ${target("epic_id")}
          or c.error_group_id = ${target("error_group_id")} or c.report_id = ${target("report_id")})),
      s.created_at, s.is_public, left(s.author_name, 255)
    from ${s} order by s.id`.execute(tx);
  await sql`
    insert into comment_likes (comment_id, user_id)
    select distinct pg_temp.target('comments', (l ->> 'id')::bigint), pg_temp.person(liker::bigint)
    from jsonb_array_elements(${lines}::jsonb) l cross join lateral jsonb_array_elements_text(l -> 'liker_ids') liker
    where pg_temp.person(liker::bigint) is not null`.execute(tx);
  await sql`
    insert into imported_comments (object_id, source_id)
    select o.id, s.id::text from ${s}
    join imported_objects o on o.project_id = ${projectId} and o.kind = 'signalbox'
      and o.source_id = ${`${origin} `} || case when s.issue_id is not null then 'issues ' || s.issue_id
        when s.report_id is not null then 'reports ' || s.report_id else 'error_groups ' || s.error_group_id end
    on conflict do nothing`.execute(tx);
}

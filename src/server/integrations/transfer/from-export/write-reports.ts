import { sql } from "kysely";
import type { Tx } from "../../../db/connect.ts";
import { lockProject } from "../../../people/projects/lock-project.ts";

/** Creates reports behind those of the queue. Duplicates of other reports are noted for later. */
export async function writeReports(tx: Tx, projectId: number, lines: string): Promise<void> {
  await lockProject(tx, projectId);
  const s = sql`jsonb_populate_recordset(null::reports, ${lines}::jsonb) s`;
  await sql`
    insert into source_ids
    select 'reports', s.id, nextval(pg_get_serial_sequence('reports', 'id')), true from ${s} order by s.id`.execute(
    tx,
  );
  await sql`
    insert into reports (id, project_id, title, description, source, author_name, created_by, promoted_issue_id, promoted_at,
      dismissed_at, dismiss_reason, dismiss_reason_note, rank, created_at, updated_at, duplicate_of_issue_id, author_email,
      author_email_confirmed, error_event_id, error_group_id, released_at, added_to_issue, kind, origin)
    overriding system value
    select pg_temp.target('reports', s.id), ${projectId}, left(s.title, 255), left(s.description, 65535), s.source,
      left(s.author_name, 255), pg_temp.person(s.created_by), pg_temp.target('issues', s.promoted_issue_id), s.promoted_at,
      s.dismissed_at, s.dismiss_reason, left(s.dismiss_reason_note, 10000), coalesce(e.rank || s.rank || '01', s.rank),
      s.created_at, s.updated_at, pg_temp.target('issues', s.duplicate_of_issue_id), s.author_email,
      coalesce(s.author_email_confirmed, false), s.error_event_id, pg_temp.target('error_groups', s.error_group_id),
      s.released_at, coalesce(s.added_to_issue, false), s.kind, s.origin
    from ${s} cross join queue_end e`.execute(tx);
  await sql`
    insert into report_dismissals (project_id, report_id, dismissed_at, dismiss_reason, dismiss_reason_note,
      duplicate_of_issue_id, duplicate_of_report_id, restored_at, restored_by)
    select ${projectId}, pg_temp.target('reports', (l ->> 'id')::bigint), d.dismissed_at, d.dismiss_reason,
      left(d.dismiss_reason_note, 10000), pg_temp.target('issues', d.duplicate_of_issue_id),
      pg_temp.target('reports', d.duplicate_of_report_id), d.restored_at, pg_temp.person(d.restored_by)
    from jsonb_array_elements(${lines}::jsonb) l
    cross join lateral jsonb_array_elements(l -> 'dismissals') with ordinality as e (entry, place)
    cross join lateral jsonb_populate_record(null::report_dismissals, entry) d order by (l ->> 'id')::bigint, place`.execute(
    tx,
  );
  await sql`
    insert into source_links
    select 'original', s.id, s.duplicate_of_report_id from ${s} where s.duplicate_of_report_id is not null`.execute(
    tx,
  );
}

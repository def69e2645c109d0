import { sql, type RawBuilder } from "kysely";
import { MAX_THUMBNAIL_BYTES } from "../../shared/attachments.ts";
import { MAX_EARLIER_DISMISSALS, type Report } from "../../shared/reports.ts";
import type { Db } from "../db/connect.ts";
import { notFound } from "../answers/errors.ts";
import { importedFromField } from "../record/imported-from.ts";
import { clustersOfWanted, duplicatesOfWanted, hasOthers, voicesOfClusters } from "../record/voices.ts";

/** 404 if the project has no such report. */
export async function readReport(db: Db, projectId: number, reportId: number): Promise<Report> {
  const [report] = await readReports(db, projectId, [reportId]);
  if (!report) throw noSuchReport();
  return report;
}

/** The project's reports with these ids, in the order of the ids. Unknown ids are left out. */
export async function readReports(db: Db, projectId: number, ids: number[]): Promise<Report[]> {
  const reports = await selectReports(db, projectId, sql`and r.id = any(${ids}::bigint[])`);
  const byId = new Map(reports.map((report) => [report.id, report]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export const noSuchReport = () => notFound("There is no such report.");

/** Selects the id of the error group of `reports r`. Its event may have arrived after the report. */
const groupOfReport = sql`
  select r.error_group_id where r.error_group_id is not null
  union all
  select g.id from error_event_ids e join error_groups g on g.id = current_error_group(e.group_id)
  where r.error_group_id is null and e.project_id = r.project_id and e.event_id = r.error_event_id`;

/** The columns of `reports r` in the order of the API's fields. */
const columns = sql`
  r.id, r.title, r.description, r.source, r.author_name, r.project_id, r.created_by, r.promoted_issue_id,
  r.promoted_at, r.dismissed_at, r.dismiss_reason, r.dismiss_reason_note, r.rank,
  coalesce(a.count, 0) as attachments_count, r.created_at, r.updated_at, ${originalOf("r")} as duplicate_of,
  coalesce(d.earlier, '[]') as earlier_dismissals, a.first_image_id, a.thumbnail_id, r.author_email,
  r.author_email_confirmed, r.kind, r.origin,
  replace(r.error_event_id::text, '-', '') as error_event_id,
  case when r.error_group_id is null and r.error_event_id is null then '[]'
    else coalesce((select json_agg(id) from (${groupOfReport}) g (id)), '[]') end as error_group_ids,
  ${importedFromField("report_id", sql`r.id`)}`;

function originalOf(table: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`case when ${column("duplicate_of_report_id")} is not null or ${column("duplicate_of_issue_id")} is not null
    then json_build_object('report_id', ${column("duplicate_of_report_id")}, 'issue_id', ${column("duplicate_of_issue_id")})
  end`;
}

/** Formats a time within JSON like the API's other timestamps. */
const momentOf = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The part of a list to read: its order, a condition on `reports r` that its rows follow, and how many. */
type ReportPage = {
  order?: RawBuilder<unknown> | undefined;
  after?: RawBuilder<unknown> | undefined;
  limit?: number | undefined;
};

export const QUEUE_ORDER = sql`r.rank, r.id`;

/** The project's reports that match the filter on `r`, in queue order unless the page has another one. */
export async function selectReports(
  db: Db,
  projectId: number,
  filter: RawBuilder<unknown>,
  { order = QUEUE_ORDER, after = sql`true`, limit }: ReportPage = {},
): Promise<Report[]> {
  // Counting all attachments of the project once is cheaper than a subquery per report.
  const { rows } = await sql<Omit<Report, keyof Voices> & { has_others: boolean }>`
    select ${columns}, ${hasOthers} as has_others from reports r
    left join (
      select report_id, count(*), min(id) filter (where mime_type like 'image/%') as first_image_id,
        min(id) filter (where mime_type like 'image/%' and (thumbnail is not null or size <= ${MAX_THUMBNAIL_BYTES})) as thumbnail_id
      from attachments where project_id = ${projectId} and report_id is not null and comment_id is null group by report_id
    ) a on a.report_id = r.id
    left join (${earlierDismissals(projectId)}) d on d.report_id = r.id
    where r.project_id = ${projectId} ${filter} and ${after}
    order by ${order} ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db);
  const voices = await readVoices(
    db,
    rows.filter(({ has_others }) => has_others).map(({ id }) => id),
  );
  return rows.map(({ has_others: _hasOthers, ...row }) => ({ ...row, ...(voices.get(row.id) ?? ALONE) }));
}

type Voices = Pick<Report, "voices" | "duplicate_report_ids">;

const ALONE: Voices = { voices: 1, duplicate_report_ids: [] };

/** By id. A statement of its own, because joining it to a list of reports takes longer. */
async function readVoices(db: Db, ids: number[]): Promise<Map<number, Voices>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Voices & { id: number }>`
    with recursive wanted as materialized (select unnest(${ids}::bigint[]) as id),
    ${clustersOfWanted}, ${voicesOfClusters}, ${duplicatesOfWanted}
    select c.report_id as id, v.count as voices, coalesce(d.ids, '[]') as duplicate_report_ids
    from clusters c join voices v using (cluster) left join duplicates d on d.original_id = c.report_id`.execute(
    db,
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** The latest dismissals of each report that were undone. Few reports have any. */
const earlierDismissals = (projectId: number) => sql`
  select e.report_id, json_agg(json_build_object(
    'dismissed_at', ${momentOf("e.dismissed_at")}, 'dismiss_reason', e.dismiss_reason,
    'dismiss_reason_note', e.dismiss_reason_note, 'duplicate_of', ${originalOf("e")},
    'restored_at', ${momentOf("e.restored_at")}, 'restored_by', e.restored_by) order by e.id desc) as earlier
  from (
    select *, row_number() over (partition by report_id order by id desc) as n
    from report_dismissals where project_id = ${projectId}
  ) e where e.n <= ${MAX_EARLIER_DISMISSALS} group by e.report_id`;

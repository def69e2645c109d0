import { sql, type RawBuilder } from "kysely";
import type { ReportState } from "../../../shared/report-status.ts";
import type { Db } from "../../db/connect.ts";

/** What becomes of a report, as its author sees it. */
export type ReportProgress = { state: ReportState; release: string | null; reason: string | null };

/** What the author reads instead of the team's note. */
const REASONS = sql`(values
  ('not-planned', 'We do not plan to do this.'),
  ('duplicate', 'This was reported before.'),
  ('invalid', 'We could not find a problem that we can solve.')) as reasons (category, reason)`;

/**
 * Selects `report_id`, `state`, `release` and `reason` for the reports with the ids that `ids` selects. A duplicate has those of
 * its original. The release is the first one that was recorded after the issue was closed; in projects with releases, an issue is
 * done only then.
 */
export const reportStates = (ids: RawBuilder<unknown>) => sql`
  with recursive chain as (
    select r.id as report_id, r.id, r.duplicate_of_report_id from reports r where r.id in (${ids})
    union
    select c.report_id, o.id, o.duplicate_of_report_id from chain c join reports o on o.id = c.duplicate_of_report_id
  )
  select c.report_id,
    case
      when r.dismiss_reason = 'already-shipped' then 'done'
      when r.dismissed_at is not null and r.duplicate_of_issue_id is null then 'not_planned'
      when l.kind in ('backlog', 'todo') then 'planned'
      when l.kind = 'doing' or l.kind = 'done' and first.version is null and has_releases then 'in_progress'
      when l.kind = 'done' then 'done'
      else 'received'
    end as state,
    case when l.kind = 'done' then first.version end as release,
    case when r.dismissed_at is not null and r.duplicate_of_issue_id is null then reasons.reason end as reason
  from chain c
  join reports r on r.id = c.id and c.duplicate_of_report_id is null
  left join issues i on i.id = coalesce(r.promoted_issue_id, r.duplicate_of_issue_id)
  left join lanes l on l.id = i.lane_id
  left join ${REASONS} on reasons.category = r.dismiss_reason
  left join lateral (
    select n.version from releases n
    where l.kind = 'done' and n.project_id = i.project_id and n.first_seen_at > i.closed_at
    order by n.first_seen_at, n.id limit 1
  ) first on true
  left join lateral (
    select exists (select from releases n where n.project_id = i.project_id and n.first_seen_at is not null) as has_releases
    where l.kind = 'done'
  ) any_release on true`;

/** By id. Unknown reports are left out. */
export async function readReportStates(db: Db, ids: number[]): Promise<Map<number, ReportProgress>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ReportProgress & { report_id: number }>`
    ${reportStates(sql`select unnest(${ids}::bigint[])`)}`.execute(db);
  return new Map(rows.map(({ report_id, ...progress }) => [report_id, progress]));
}

import { sql } from "kysely";
import { API, MANUAL } from "../../../../shared/reports.ts";
import type { Tx } from "../../../db/connect.ts";
import { lockQueue, queueOf } from "../../../reports/queue.ts";
import { lastRank } from "../../../work/ranks/ranked-list.ts";
import { ranksBehind } from "../../../work/ranks/rank.ts";
import type { ImportedReport } from "./item.ts";
import type { PlannedItem } from "./plan-batch.ts";
import type { ImportedRow } from "./remember-objects.ts";
import type { ImportTarget } from "./import-target.ts";

/**
 * Creates reports at the end of the queue. Their authors' addresses are not stored, because the authors did not ask for mail
 * from here. The caller holds the project's lock.
 */
export async function writeReports(
  tx: Tx,
  { project, people }: ImportTarget,
  planned: PlannedItem<ImportedReport>[],
): Promise<ImportedRow[]> {
  if (planned.length === 0) return [];
  await lockQueue(tx, project.id);
  const ranks = ranksBehind(await lastRank(tx, queueOf(project.id)), planned.length);
  const rows = planned.map(({ item }, n) => {
    const created_at = item.created_at ?? new Date().toISOString();
    const updated_at = item.updated_at ?? created_at;
    const userId = people.userOf(item.author);
    return {
      rank: ranks[n] as string,
      title: item.title,
      description: item.description ?? "",
      source: userId === null ? API : MANUAL,
      author_name: userId === null ? people.nameOf(item.author) : null,
      created_by: userId,
      dismissed_at: item.dismissal && (item.dismissal.at ?? updated_at),
      dismiss_reason: item.dismissal && item.dismissal.reason,
      dismiss_reason_note: item.dismissal && item.dismissal.note,
      created_at,
      updated_at,
    };
  });
  const ids = await insertReports(tx, project.id, rows);
  return planned.map(({ item, sourceId }, n) => ({
    item,
    sourceId,
    target: { issue_id: null, report_id: ids.get(ranks[n] as string) as number, error_group_id: null },
  }));
}

/** By rank. */
async function insertReports(tx: Tx, projectId: number, rows: object[]): Promise<Map<string, number>> {
  const { rows: inserted } = await sql<{ id: number; rank: string }>`
    with sent as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}) as r (rank text, title text, description text,
        source smallint, author_name text, created_by bigint, dismissed_at timestamptz, dismiss_reason text,
        dismiss_reason_note text, created_at timestamptz, updated_at timestamptz)
    ),
    added as (
      insert into reports (project_id, rank, title, description, source, author_name, created_by, dismissed_at,
        dismiss_reason, dismiss_reason_note, created_at, updated_at)
      select ${projectId}, rank, title, description, source, author_name, created_by, dismissed_at, dismiss_reason,
        dismiss_reason_note, created_at, updated_at
      from sent order by rank collate "C"
      returning id, rank, created_by, created_at, dismissed_at, dismiss_reason, dismiss_reason_note
    ),
    history as (
      insert into report_activity (project_id, report_id, actor_id, kind, "to", created_at)
      select ${projectId}, id, actor_id, kind, "to", created_at from (
        select id, created_by as actor_id, 'created' as kind, null::jsonb as "to", created_at, 1 as place from added
        union all
        select id, null, 'dismissed', jsonb_build_object('reason', dismiss_reason, 'note', dismiss_reason_note,
          'duplicate_of', null), dismissed_at, 2 from added where dismissed_at is not null
      ) entries order by id, place
    )
    select id, rank from added`.execute(tx);
  return new Map(inserted.map(({ id, rank }) => [rank, id]));
}

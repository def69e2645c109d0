import { sql, type RawBuilder } from "kysely";
import type { SimilarItem, SimilarKind } from "../../../shared/similar.ts";
import type { Db } from "../../db/connect.ts";

type Scored = { kind: SimilarKind; id: number; score: number };

/** What the answer says about each item, in the same order. One that was deleted meanwhile is left out. */
export async function readItems(db: Db, scored: readonly Scored[]): Promise<SimilarItem[]> {
  const kinds = [...new Set(scored.map(({ kind }) => kind))];
  if (kinds.length === 0) return [];
  const idsOf = (kind: SimilarKind) => scored.filter((item) => item.kind === kind).map(({ id }) => id);
  const { rows } = await sql<Omit<SimilarItem, "score">>`${sql.join(
    kinds.map((kind) => ITEMS[kind](idsOf(kind))),
    sql` union all `,
  )}`.execute(db);
  return scored.flatMap(({ kind, id, score }) => {
    const item = rows.find((row) => row.kind === kind && row.id === id);
    return item ? [{ ...item, score: Math.round(score * 1_000) / 1_000 }] : [];
  });
}

const ITEMS: Record<SimilarKind, (ids: number[]) => RawBuilder<unknown>> = {
  report: (ids) => sql`
    select 'report' as kind, id, null as key, title, case when promoted_at is not null then 'promoted'
      when dismissed_at is not null then 'dismissed' else 'active' end as state
    from reports where id = any(${ids})`,
  issue: (ids) => sql`
    select 'issue' as kind, i.id, p.key || '-' || i.number as key, i.title, l.kind as state
    from issues i join projects p on p.id = i.project_id join lanes l on l.id = i.lane_id where i.id = any(${ids})`,
  error_group: (ids) => sql`
    select 'error_group' as kind, id, null as key,
      left(concat_ws(': ', exception_class, nullif(latest_message, '')), 255) as title,
      (array['open', 'resolved', 'ignored'])[status + 1] as state
    from error_groups where id = any(${ids})`,
};

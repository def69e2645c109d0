import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { inAppFiles, type ConditionFacts } from "../../ingest/project-rules/alert-conditions.ts";

/** Which of a group's events the conditions are checked against. */
export type CheckedEvent = "first" | "regressing" | "latest";

type Row = Omit<ConditionFacts, "tags" | "files"> & {
  n: number;
  tags: Record<string, string> | null;
  stack_trace: string | null;
  additions: string | null;
};

/**
 * The facts of these groups' events, in the same order; undefined for a group that is gone. An event that was not kept is replaced by
 * the latest one. Reads the traces only if they are needed.
 */
export async function readFacts(
  db: Db,
  events: { group_id: number; event: CheckedEvent }[],
  { withFiles }: { withFiles: boolean },
): Promise<(ConditionFacts | undefined)[]> {
  if (events.length === 0) return [];
  const wanted = events.map((event, n) => ({ n, ...event }));
  const { rows } = await sql<Row>`
    select w.n, g.environment, g.exception_class, g.assignee_id, coalesce(e.level, g.level) as level,
      coalesce(e.message, g.latest_message) as message, coalesce(e.tags, d.tags) as tags,
      case when ${withFiles} then coalesce(e.stack_trace, d.stack_trace) end as stack_trace,
      case when ${withFiles} then case when e.id is null then d.additions else e.additions end end as additions
    from json_to_recordset(${JSON.stringify(wanted)}) as w (n int, group_id bigint, event text)
    join error_groups g on g.id = w.group_id
    left join error_group_details d on d.group_id = g.id
    left join lateral (
      select * from kept_events k where k.group_id = g.id and w.event <> 'latest'
        and (w.event = 'first' or k.received_at = g.regressed_at)
      order by k.id limit 1
    ) e on true`.execute(db);
  const byNumber = new Map(rows.map((row) => [row.n, row]));
  return events.map((_, n) => toFacts(byNumber.get(n)));
}

function toFacts(row: Row | undefined): ConditionFacts | undefined {
  if (!row) return undefined;
  const { n: _, tags, stack_trace, additions, ...rest } = row;
  return {
    ...rest,
    tags: () => tags ?? {},
    files: () => inAppFiles(framesIn(additions), stack_trace ?? ""),
  };
}

const framesIn = (additions: string | null) =>
  additions === null
    ? []
    : ((JSON.parse(additions) as { frames?: { filename?: string; in_app?: boolean }[] }).frames ?? []);

import { sql } from "kysely";
import { type ErrorTags, MAX_TAG_KEYS, MAX_TAG_VALUES } from "../../../shared/kept-events.ts";
import type { Caller } from "../../access/caller.ts";
import { firstOfProjects } from "../../access/first-of-projects.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import { listOrder } from "./list-order.ts";
import type { ErrorDb } from "./error-db.ts";

/** Groups whose newest event is read. */
const MAX_READ_GROUPS = 500;

/** The tags of the newest events of every project where the caller may read error groups. */
export async function listAllErrorTags(errorDb: ErrorDb, caller: Caller): Promise<ErrorTags> {
  const { rows } = await sql<{ id: number }>`${projectsReadable(caller, "error_group")}`.execute(errorDb.db);
  const projectIds = rows.map(({ id }) => id);
  return listErrorTags(errorDb, projectIds);
}

/**
 * The tags of the newest event of each of the most recently seen groups. The most frequent keys come first, and so do the most
 * frequent values of each key.
 */
export async function listErrorTags(
  { db, retentionDays }: ErrorDb,
  projectIds: number[],
): Promise<ErrorTags> {
  const order = listOrder("last_seen", "desc", undefined);
  const newest = firstOfProjects({
    ...order,
    projectIds,
    rowsWhere: (ofProject) => sql`
      select g.id, g.project_id, ${order.value} as sort_value from error_groups g where ${ofProject} order by ${order.indexed}`,
    limit: MAX_READ_GROUPS,
  });
  const { rows } = await sql<{ key: string; value: string; error_groups: number }>`
    select t.key, t.value, count(*) as error_groups
    from (${newest}) newest join error_group_details d on d.group_id = newest.id cross join lateral jsonb_each_text(d.tags) t
    where d.event is not null and d.received_at > now() - make_interval(days => ${retentionDays}::int)
    group by t.key, t.value order by count(*) desc, t.value collate "C"`.execute(db);
  const sum = (counted: typeof rows) => counted.reduce((total, { error_groups }) => total + error_groups, 0);
  return [...Map.groupBy(rows, ({ key }) => key)]
    .toSorted(([a, ofA], [b, ofB]) => sum(ofB) - sum(ofA) || (a < b ? -1 : 1))
    .slice(0, MAX_TAG_KEYS)
    .map(([key, counted]) => ({
      key,
      values: counted.slice(0, MAX_TAG_VALUES).map(({ value, error_groups }) => ({ value, error_groups })),
    }));
}

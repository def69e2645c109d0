import { sql } from "kysely";
import { MAX_TAG_VALUES, type GroupTags } from "../../../shared/kept-events.ts";
import { keptWithin } from "./kept-within.ts";
import type { ErrorDb } from "../groups/error-db.ts";

/** The tags of a group's kept events: keys and values with the most events first. */
export async function listTags({ db, retentionDays }: ErrorDb, groupId: number): Promise<GroupTags> {
  const { rows } = await sql<{ key: string; value: string; count: number }>`
    select t.key, t.value, count(*) as count
    from (select e.tags from ${keptWithin(groupId, retentionDays)}) e, jsonb_each_text(e.tags) t
    group by t.key, t.value order by count(*) desc, t.value collate "C"`.execute(db);
  const tags = [...Map.groupBy(rows, ({ key }) => key)].map(([key, counted]) => {
    const events = counted.reduce((sum, { count }) => sum + count, 0);
    const values = counted
      .slice(0, MAX_TAG_VALUES)
      .map(({ value, count }) => ({ value, count, share: count / events }));
    return { key, events, values };
  });
  return tags.sort((a, b) => b.events - a.events || (a.key < b.key ? -1 : 1));
}

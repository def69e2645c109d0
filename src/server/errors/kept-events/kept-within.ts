import { sql, type RawBuilder } from "kysely";

/** The kept events `e` of the group, without those that are older than the retention window. */
export const keptWithin = (groupId: number, retentionDays: number): RawBuilder<unknown> => sql`
  kept_events e where e.group_id = ${groupId}
    and e.received_at > now() - make_interval(days => ${retentionDays}::int)`;

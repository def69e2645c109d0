import { sql } from "kysely";
import type { UnreadCount, UnreadCounts } from "../../../shared/notifications.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { NOT_SNOOZED, ofTypes, readableBy } from "./list-notifications.ts";

/** The number of unread entries, and the time until the next snoozed one returns. */
export async function countUnread(db: Db, caller: Caller, include?: "all"): Promise<UnreadCount> {
  const { rows } = await sql<{ count: number; next_return_ms: number | null }>`
    select
      (select count(*) from notifications n where n.read_at is null and ${NOT_SNOOZED} and ${ofTypes(include)}
        and ${readableBy(caller)}) as count,
      (select ceil(extract(epoch from min(n.snoozed_until) - now()) * 1000)::bigint from notifications n
        where n.user_id = ${caller.user_id} and n.snoozed_until > now() and ${ofTypes(include)}) as next_return_ms`.execute(
    db,
  );
  const { count = 0, next_return_ms = null } = rows[0] ?? {};
  return next_return_ms === null ? { count } : { count, next_return_ms };
}

const MAX_THINGS = 1_000;

/** The unread entries by type, project and thing, read with one scan of the caller's unread entries. */
export async function countUnreadBy(db: Db, caller: Caller, include?: "all"): Promise<UnreadCounts> {
  const { rows } = await sql<{
    type: number | null;
    project_id: number | null;
    thing: string | null;
    count: number;
  }>`
    with counted as (
      select type, project_id, thing, count(*) as count
      from (
        select n.type, n.project_id, case
          when n.issue_id is not null then 'issue:' || n.issue_id
          when n.report_id is not null then 'report:' || n.report_id
          when n.epic_id is not null then 'epic:' || n.epic_id
          when n.error_group_id is not null then 'error_group:' || n.error_group_id end as thing
        from notifications n where n.read_at is null and ${NOT_SNOOZED} and ${ofTypes(include)} and ${readableBy(caller)}
      ) one
      group by grouping sets ((type), (project_id), (thing))
    )
    select * from counted where thing is null
    union all
    (select * from counted where thing is not null order by count desc limit ${MAX_THINGS})`.execute(db);
  const of = (key: "type" | "project_id" | "thing") =>
    Object.fromEntries(rows.filter((row) => row[key] !== null).map((row) => [String(row[key]), row.count]));
  return { types: of("type"), projects: of("project_id"), things: of("thing") };
}

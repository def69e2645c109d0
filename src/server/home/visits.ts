import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** Returning to the home page within this time continues the visit, so it still lists the same changes. */
const VISIT = sql`interval '30 minutes'`;

/** Before the first visit, the changes of this time are listed. */
const FIRST = sql`interval '7 days'`;

export type Visit = { since: string; is_first_visit: boolean; read_at: string };

export async function readVisit(db: Db, userId: number): Promise<Visit> {
  const { rows } = await sql<Visit>`
    select coalesce(v.since, now() - ${FIRST}) as since, v.since is null as is_first_visit, now() as read_at
    from (select) one left join (
      select case when seen_at > now() - ${VISIT} then before_at else seen_at end as since
      from home_visits where user_id = ${userId}
    ) v on true`.execute(db);
  const [visit] = rows;
  if (!visit) throw new Error("a query without a condition returned no row");
  return visit;
}

/** A time in the future counts as now, and an earlier one than already recorded changes nothing. */
export async function recordVisit(db: Db, userId: number, seenAt: string): Promise<void> {
  await sql`
    insert into home_visits as v (user_id, seen_at) values (${userId}, least(${seenAt}::timestamptz, now()))
    on conflict (user_id) do update set seen_at = excluded.seen_at,
      before_at = case when excluded.seen_at > v.seen_at + ${VISIT} then v.seen_at else v.before_at end
    where v.seen_at < excluded.seen_at`.execute(db);
}

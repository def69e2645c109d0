import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";

/** A group seen `hours` ago, with that many events today, users of today and users of earlier days. */
export type Scored = {
  events: number;
  users: number;
  earlier: number;
  hours: number;
  fresh: boolean;
  status: 0 | 1;
};

export const impactOf = ({ events, users, hours, fresh }: Scored) =>
  hours >= 24 ? 0 : (fresh ? 1e12 : 0) + 10 * users + events;

/** Inserts the groups with their place in the list as class. */
export async function insertScored(db: Db, projectId: number, groups: Scored[]): Promise<void> {
  await sql`
    with given as (
      select n, (g ->> 'events')::int as events, (g ->> 'users')::int as users, (g ->> 'earlier')::int as earlier,
        (g ->> 'fresh')::boolean as fresh, (g ->> 'status')::smallint as status,
        now() - (g ->> 'hours')::float8 * interval '1 hour' as at
      from jsonb_array_elements(${JSON.stringify(groups)}::jsonb) with ordinality as given (g, n)
    ),
    made as (
      insert into error_groups (project_id, environment, key, exception_class, latest_message, occurrence_count, status,
        daily_counts, first_seen_at, regressed_at, last_seen_at, last_seen_span, updated_at)
      select ${projectId}, 'production', sha256(('scored ' || ${projectId}::text || ' ' || n)::bytea), n - 1, '', 1000, status,
        array[events] || array_fill(0, array[89]), case when fresh and n % 2 = 0 then at else now() - interval '40 days' end,
        case when fresh and n % 2 = 1 then at end, at, date_bin('10 minutes', at, 'epoch'), at
      from given order by n
      returning id, exception_class::int + 1 as n
    ),
    counted as (
      insert into error_group_counts (group_id, users, users_seen_since)
      select id, users + earlier, case when earlier = 0 then at else now() - interval '30 days' end from made join given using (n) where users + earlier > 0
    )
    insert into error_group_users (group_id, user_hash, last_seen_at)
    select id, sha256(u::text::bytea), case when u <= users then at else now() - interval '2 days' end
    from made join given using (n) cross join lateral generate_series(1, users + earlier) u`.execute(db);
}

import { sql } from "kysely";
import type { Page } from "../../../shared/answers.ts";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import { afterId, idCursor, pageOf, type PageQuery } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";
import { MAX_STORED } from "./max-stored.ts";

type Row = ErrorGroupActivity & { place: number };

/**
 * What happened to the group, oldest first. Entries for further releases are derived from the group's counts, so that storing
 * events writes no history for them. They are inserted by time among the stored entries, which are ordered by id, because an
 * event that waited for a change of the group has an earlier time than the change.
 */
export async function listGroupActivity(
  db: Db,
  groupId: number,
  query: PageQuery,
): Promise<Page<ErrorGroupActivity>> {
  const { rows } = await sql<Row>`
    with entries as (
      select a.id, a.id as stored_id, a.actor_id, a.kind, a."from", a."to", a.created_at
      from error_group_activity a where a.group_id = ${groupId}
      union all
      select r.appearance, null, null, 'first_in_release', null, to_jsonb(r.release), r.first_seen_at
      from error_groups g
      join error_group_releases r on r.group_id = g.id
        and r.first_seen_at > g.first_seen_at and r.release is distinct from g.release
      -- The row "other" counts all releases beyond the limit, unless a release of that name was seen before.
      where g.id = ${groupId} and (r.release <> 'other' or ${sql.lit(MAX_STORED.releases)} > (
        select count(*) from error_group_releases before
        where before.group_id = g.id and before.appearance < r.appearance))
    ),
    anchored as (
      select *, coalesce(stored_id, max(stored_id) over (order by created_at, stored_id nulls last, id), 0) as anchor
      from entries
    ),
    placed as (
      select *, row_number() over (order by anchor, stored_id nulls last, created_at, id) as place from anchored
    )
    -- Ids of both kinds are distinct: those of releases are odd.
    select id * 2 + (stored_id is null)::int as id, actor_id, kind, "from", "to", created_at, place
    from placed where place > ${afterId(query)} order by place limit ${query.limit + 1}`.execute(db);
  const { data, meta } = pageOf(rows, query, ({ place }) => idCursor(place));
  return { data: data.map(entryOf), meta };
}

function entryOf(row: Row): ErrorGroupActivity {
  const { place: _, ...entry } = row;
  return entry;
}

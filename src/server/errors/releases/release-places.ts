import { sql, type RawBuilder } from "kysely";
import { invalid } from "../../answers/errors.ts";
import type { PageQuery } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

/**
 * The ids of the releases on a page of the list, in the order of the view `ordered_releases`. That order mixes semantic
 * versions with times, so no index has it. But each of the two kinds has an index with its own order, so a page is merged
 * from the next semantic versions and the next other releases, and the cursor names the last release of each kind.
 */
export async function placesAfter(
  db: Db,
  projectId: number,
  query: PageQuery,
): Promise<{ ids: number[]; next_cursor: string | null }> {
  const after = query.cursor === undefined ? START : readCursor(query.cursor);
  const limit = sql.lit(query.limit + 1);
  const seenAt = sql`coalesce(first_seen_at, 'infinity')`;
  const afterVersion =
    after.versionId === 0
      ? sql``
      : sql`and (sort_key, ${seenAt}, id) < ((select sort_key from last), (select ${seenAt} from last), ${after.versionId})`;
  const afterOther =
    after.otherId === 0
      ? sql``
      : sql`and (${seenAt}, id) < (
          (select ${seenAt} from releases where project_id = ${projectId} and id = ${after.otherId}), ${after.otherId})`;
  const lastPosition = momentOf(after.position);
  const { rows } = await sql<Place>`
    with last as (
      select sort_key, first_seen_at from releases where project_id = ${projectId} and id = ${after.versionId}
    ), versions as (
      select id, sort_key, first_seen_at, ${seenAt} as seen_at from releases
      where project_id = ${projectId} and sort_key is not null ${afterVersion}
      order by sort_key desc, ${seenAt} desc, id desc limit ${limit}
    ), older as (
      select max(first_seen_at) as seen_at from (
        select first_seen_at from releases
        where project_id = ${projectId} and sort_key is not null and first_seen_at <= ${lastPosition}
          and sort_key <= (select min(sort_key) from versions)
        order by first_seen_at desc limit 1
      ) newest
    ), placed as (
      select id, sort_key, seen_at, case when sort_key = (select sort_key from last) then ${lastPosition}
        else coalesce(
          greatest((select seen_at from older), max(first_seen_at) over (order by sort_key)),
          case when exists (select from releases where project_id = ${projectId} and sort_key is not null
            and first_seen_at is not null) then '-infinity'::timestamptz end,
          'infinity') end as position_at
      from versions
      union all
      (select id, null::text collate "C", ${seenAt}, ${seenAt} from releases
      where project_id = ${projectId} and sort_key is null ${afterOther}
      order by ${seenAt} desc, id desc limit ${limit})
    )
    select id, sort_key is not null as is_version, case when isfinite(position_at)
      then (extract(epoch from position_at) * 1000000)::bigint::text else position_at::text end as position
    from placed
    order by position_at desc, sort_key desc nulls last, seen_at desc, id desc limit ${limit}`.execute(db);
  const page = rows.slice(0, query.limit);
  return {
    ids: page.map(({ id }) => id),
    next_cursor: rows.length > query.limit ? cursorAfter(page, after) : null,
  };
}

/** `position` is where a semantic version is among the other releases: microseconds, `infinity` or `-infinity`. */
type Place = { id: number; is_version: boolean; position: string };

/** The last release of each kind on the previous pages (0 if none), and the position of the semantic version. */
type After = { versionId: number; otherId: number; position: string };

const START: After = { versionId: 0, otherId: 0, position: "infinity" };

function cursorAfter(page: Place[], before: After): string {
  const version = page.findLast(({ is_version }) => is_version);
  const other = page.findLast(({ is_version }) => !is_version);
  const parts = [
    version?.id ?? before.versionId,
    other?.id ?? before.otherId,
    version?.position ?? before.position,
  ];
  return Buffer.from(parts.join(" ")).toString("base64url");
}

function readCursor(cursor: string): After {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, versionId, otherId, position] = /^(\d{1,15}) (\d{1,15}) (-?infinity|-?\d{1,17})$/.exec(text) ?? [];
  if (position === undefined) throw invalid({ cursor: ["is not a cursor of this list"] });
  return { versionId: Number(versionId), otherId: Number(otherId), position };
}

const momentOf = (position: string): RawBuilder<unknown> =>
  position.endsWith("infinity")
    ? sql`${position}::timestamptz`
    : sql`(timestamptz 'epoch' + ${position}::bigint * interval '1 microsecond')`;

import { sql } from "kysely";
import type { z } from "zod";
import type { Page } from "../../../shared/answers.ts";
import { MAX_LISTED_MESSAGE_LENGTH } from "../../../shared/error-groups.ts";
import { filter, filterOf } from "../../../shared/filters.ts";
import type { ListedEvent } from "../../../shared/kept-events.ts";
import { afterId, idCursor, pageOf, pageQuery } from "../../answers/page.ts";
import { truncateMessage } from "../groups/list-items.ts";
import { withUtcOffset } from "../groups/utc-offset.ts";
import { keptWithin } from "./kept-within.ts";
import type { ErrorDb } from "../groups/error-db.ts";

export const eventsQuery = pageQuery.extend({
  release: filter.meta({ description: "The release of the event." }),
  host: filter.meta({ description: "The host of the event." }),
  user: filter.meta({ description: "The pseudonym of a user, as in the field `user`." }),
  tag: filterOf("must be a key and a value, separated by a colon", (tag) =>
    tag.includes(":") ? tag : undefined,
  ),
});

/** The columns that lists and the full event share. */
export const listedColumns = sql`
  e.id, replace(e.event_id::text, '-', '') as event_id, e.group_id as error_group_id, e.received_at, e.level, e.release,
  e.host, e.pseudonym as "user", coalesce(e.tags, '{}') as tags`;

/** The kept events of a group, newest first. */
export async function listEvents(
  { db, retentionDays }: ErrorDb,
  groupId: number,
  query: z.output<typeof eventsQuery>,
): Promise<Page<ListedEvent>> {
  const { release, host, user, tag } = query;
  const after = query.cursor === undefined ? null : afterId(query);
  // One character more than is shown, so that truncateMessage can detect a longer message.
  const { rows } = await sql<ListedEvent>`
    select ${listedColumns}, left(e.message, ${sql.lit(MAX_LISTED_MESSAGE_LENGTH + 1)}) as message
    from ${keptWithin(groupId, retentionDays)}
      and (${after}::bigint is null or e.id < ${after}::bigint)
      and (${release ?? null}::text is null or e.release = ${release ?? null}::text)
      and (${host ?? null}::text is null or e.host = ${host ?? null}::text)
      and (${user ?? null}::text is null or e.pseudonym = ${user ?? null}::text)
      and (${tag ?? null}::text is null or exists (
        select from jsonb_each_text(e.tags) t where t.key || ':' || t.value = ${tag ?? null}::text))
    order by e.id desc limit ${query.limit + 1}`.execute(db);
  const { data, meta } = pageOf(rows, query, (row) => idCursor(row.id));
  return {
    data: data.map((row) => ({
      ...row,
      received_at: withUtcOffset(row.received_at),
      message: truncateMessage(row.message),
    })),
    meta,
  };
}

import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { FIRST_EVENTS } from "../../ingest/store/statement/kept-events.ts";
import type { Merge } from "./merge.ts";

/**
 * Moves the kept events of the sources to the target, with their ids, and drops those beyond its limit. The newest event of
 * all groups becomes the target's newest; the newest events of the other groups become ordinary kept events.
 */
export async function moveKeptEvents(tx: Tx, { targetId, sourceIds, latestId }: Merge): Promise<void> {
  await sql`
    select keep_event(d) from error_group_details d
    where d.group_id = any(${[targetId, ...sourceIds]}::bigint[]) and d.group_id <> ${latestId} and d.event is not null`.execute(
    tx,
  );
  await sql`
    update error_events set group_id = ${targetId} where group_id = any(${sourceIds}::bigint[])`.execute(tx);
  if (latestId !== targetId) {
    await sql`delete from error_group_details where group_id = ${targetId}`.execute(tx);
    await sql`update error_group_details set group_id = ${targetId} where group_id = ${latestId}`.execute(tx);
  }
  await chooseFirstEvents(tx, targetId);
  await sql`
    select drop_kept_events(group_id, release) from error_group_details where group_id = ${targetId}`.execute(
    tx,
  );
}

/** Only the first events of all groups together stay first events. The others may be dropped like any kept event. */
async function chooseFirstEvents(tx: Tx, targetId: number): Promise<void> {
  await sql`
    with ranked as (
      select id, received_at, row_number() over (order by received_at, id) as place
      from error_events where group_id = ${targetId} and reason >= 2
    )
    update error_events e
    set reason = case when r.place = 1 then 3 when r.place <= ${FIRST_EVENTS} then 2 else 1 end
    from ranked r where e.group_id = ${targetId} and e.id = r.id and e.received_at = r.received_at`.execute(
    tx,
  );
  await sql`
    update error_group_details d set reason = case when g.occurrence_count > ${FIRST_EVENTS} then 1 else 2 end
    from error_groups g where g.id = d.group_id and d.group_id = ${targetId} and d.reason >= 2`.execute(tx);
}

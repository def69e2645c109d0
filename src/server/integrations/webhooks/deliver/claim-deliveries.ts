import { sql } from "kysely";
import type { WebhookFormat } from "../../../../shared/webhooks.ts";
import type { Db, Tx } from "../../../db/connect.ts";

/** A delivery that this process is about to send. */
export type ClaimedDelivery = {
  id: number;
  webhook_id: number;
  event_id: string;
  event: string;
  object_kind: string;
  object_id: number;
  body: string;
  /** Someone asked for this attempt. */
  is_forced: boolean;
  /** Including this attempt. Also identifies it. */
  attempt_count: number;
  /** Seconds since 1970. */
  started_at: number;
  url: string;
  format: WebhookFormat;
  /** Those that sign: two for a day after a rotation. */
  secrets: Buffer[];
};

export const MAX_IN_FLIGHT = 50;
const MAX_PER_WEBHOOK = 4;

/** Longer than an attempt and recording its result may take. Then another process sends the delivery again. */
const LEASE = sql`interval '2 minutes'`;

/** How many due deliveries of a webhook are examined for some whose object has no other one in flight. */
const WINDOW = 100;

/**
 * Claims the deliveries that may start now. Any number of processes may call this every second; one at a time does, because the limits
 * apply to all of them together. Costs one indexed lookup if nothing waits.
 */
export async function claimDeliveries(db: Db): Promise<ClaimedDelivery[]> {
  const waiting = await sql`
    select from webhook_deliveries where next_attempt_at is not null limit 1`.execute(db);
  if (waiting.rows.length === 0) return [];
  return db.transaction().execute(async (tx) => {
    // In a statement of its own, because the next one must see what the previous holder of the lock has claimed. If many
    // deliveries are about one object, PostgreSQL would otherwise scan the table for each candidate, expecting to find an
    // earlier delivery soon.
    const lock = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('webhook deliveries', 0)) as is_mine,
        set_config('enable_seqscan', 'off', true)`.execute(tx);
    return lock.rows[0]?.is_mine === true ? claim(tx) : [];
  });
}

/**
 * Webhooks take turns: the one with the fewest deliveries in flight is first, so that many deliveries to a slow receiver delay only each
 * other. Deliveries about an object start in the order of their ids, one at a time; further attempts wait for none that has not started.
 */
async function claim(tx: Tx): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with recursive waiting (webhook_id) as (
      (select webhook_id from webhook_deliveries where next_attempt_at is not null order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries d
        where d.next_attempt_at is not null and d.webhook_id > w.webhook_id order by d.webhook_id limit 1)
      from waiting w where w.webhook_id is not null
    ), in_flight as materialized (
      select webhook_id, object_kind, object_id from webhook_deliveries where leased_until > now()
    ), busy as materialized (
      select webhook_id, count(*)::int as deliveries from in_flight group by webhook_id
    ), candidate as (
      select d.id, d.webhook_id, d.is_forced, d.next_attempt_at, coalesce(busy.deliveries, 0) as deliveries,
        row_number() over (partition by d.webhook_id, d.object_kind, d.object_id
          order by d.is_forced desc, d.next_attempt_at, d.id) as turn_of_object
      from waiting join webhooks w on w.id = waiting.webhook_id
      join workspaces on workspaces.id = w.workspace_id and workspaces.deleted_at is null
      left join busy on busy.webhook_id = w.id
      cross join lateral (
        (select * from webhook_deliveries
          where webhook_id = w.id and is_forced and next_attempt_at <= now()
          order by next_attempt_at, id limit ${WINDOW})
        union all
        (select * from webhook_deliveries
          where webhook_id = w.id and not is_forced and next_attempt_at <= now()
            and w.active and coalesce(w.paused_until <= now(), true)
          order by next_attempt_at, id limit ${WINDOW})
      ) d
      where coalesce(busy.deliveries, 0) < ${MAX_PER_WEBHOOK}
        and not exists (select from projects p where p.id = w.project_id and p.deleted_at is not null)
        and not exists (select from in_flight f
          where f.webhook_id = d.webhook_id and f.object_kind = d.object_kind and f.object_id = d.object_id)
        and (d.is_forced or d.attempt_count > 0 or not exists (
          select from webhook_deliveries earlier
          where earlier.webhook_id = d.webhook_id and earlier.object_kind = d.object_kind
            and earlier.object_id = d.object_id and earlier.id < d.id
            and earlier.attempt_count = 0 and earlier.next_attempt_at is not null))
    ), ranked as (
      select id, next_attempt_at, deliveries + row_number() over (partition by webhook_id
        order by is_forced desc, next_attempt_at, id) as turn
      from candidate where turn_of_object = 1
    ), chosen as materialized (
      select id from ranked where turn <= ${MAX_PER_WEBHOOK} order by turn, next_attempt_at, id
      limit greatest(0, ${MAX_IN_FLIGHT} - (select count(*) from in_flight))
    )
    update webhook_deliveries d
    set leased_until = clock_timestamp() + ${LEASE}, started_at = clock_timestamp(), attempt_count = attempt_count + 1
    from chosen, webhooks w
    where d.id = chosen.id and w.id = d.webhook_id and d.next_attempt_at is not null
    returning d.id, d.webhook_id, d.event_id, d.event, d.object_kind, d.object_id, d.body, d.is_forced, d.attempt_count,
      extract(epoch from d.started_at)::float8 as started_at, w.url, w.format,
      case when w.previous_secret_until > now() then array[w.secret, w.previous_secret] else array[w.secret] end as secrets`.execute(
    tx,
  );
  return rows;
}

import { sql } from "kysely";
import type { Page } from "../../../shared/answers.ts";
import type { Delivery } from "../../../shared/webhooks.ts";
import { notFound } from "../../answers/errors.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";

type DeliveryQuery = PageQuery & { status?: string | undefined; event?: string | undefined };

/** What the webhook has sent in the last 14 days and what it will send, newest first. */
export async function listDeliveries(
  db: Db,
  webhookId: number,
  query: DeliveryQuery,
): Promise<Page<Delivery>> {
  let rows = selectDeliveries(db).where("webhook_id", "=", webhookId);
  if (query.status !== undefined) rows = rows.where("status", "=", query.status);
  if (query.event !== undefined) rows = rows.where("event", "=", query.event);
  return readPage(rows.$castTo<Delivery>(), query, "id", { newestFirst: true });
}

/** 404 if the webhook has no such delivery. */
export async function readDelivery(db: Db, webhookId: number, deliveryId: number): Promise<Delivery> {
  const row = await selectDeliveries(db)
    .where("webhook_id", "=", webhookId)
    .where("id", "=", deliveryId)
    .$castTo<Delivery>()
    .executeTakeFirst();
  if (!row) throw noSuchDelivery();
  return row;
}

const selectDeliveries = (db: Db) =>
  db
    .selectFrom("webhook_deliveries")
    .select([
      "id",
      "event_id",
      "event",
      "status",
      "created_at",
      "next_attempt_at",
      sql`json_build_object('headers', coalesce(request -> 'headers', '{}'), 'body', coalesce(request ->> 'body', body))`.as(
        "request",
      ),
      "attempts",
    ]);

/** Sends the delivery once more. Its status stays unless that succeeds. 404 if the webhook has no such delivery. */
export async function redeliver(db: Db, webhookId: number, deliveryId: number): Promise<Delivery> {
  await sql`
    update webhook_deliveries set is_forced = true, next_attempt_at = clock_timestamp()
    where webhook_id = ${webhookId} and id = ${deliveryId}`.execute(db);
  return readDelivery(db, webhookId, deliveryId);
}

/** Sends every delivery of that time that failed once more. */
export async function recoverDeliveries(
  db: Db,
  webhookId: number,
  { since, until }: { since: string; until: string | undefined },
): Promise<{ count: number }> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set is_forced = true, next_attempt_at = clock_timestamp()
    where webhook_id = ${webhookId} and status = 'failed' and created_at >= ${since}
      and (${until ?? null}::timestamptz is null or created_at < ${until ?? null})`.execute(db);
  return { count: Number(numAffectedRows) };
}

export const noSuchDelivery = () => notFound("There is no such delivery.");

import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";

type Owner = { workspace_id: number; project_id: number | null };

export type TestWebhook = { id: number; secret: Buffer };

/** Stores a webhook as the route would, with any address. */
export async function makeWebhook(
  db: Db,
  owner: Owner,
  {
    url,
    format = "signalbox",
    created_by = null,
  }: { url: string; format?: string; created_by?: number | null },
): Promise<TestWebhook> {
  const secret = randomBytes(32);
  const { id } = await db
    .insertInto("webhooks")
    .values({ ...owner, url, format, secret, created_by, events: ["*"] })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, secret };
}

type NewDelivery = { event?: string; kind?: string; object?: number; data?: object; project?: object | null };

/** Stores a delivery that is due, and returns its id. By default, each is about another issue. */
export async function makeDelivery(
  db: Db,
  webhook: { id: number },
  { event = "issue.created", kind = "issue", object, data = {}, project = null }: NewDelivery = {},
): Promise<number> {
  const event_id = `evt_${randomBytes(16).toString("hex")}`;
  const body = JSON.stringify({ id: event_id, type: event, project, actor: null, data });
  const { rows } = await sql<{ id: number }>`
    insert into webhook_deliveries (webhook_id, event_id, event, object_kind, object_id, body)
    values (${webhook.id}, ${event_id}, ${event}, ${kind}, coalesce(${object ?? null}::bigint, ${nextObject()}), ${body})
    returning id`.execute(db);
  return (rows[0] as { id: number }).id;
}

let objects = 1_000_000;
const nextObject = () => objects++;

/** Makes everything due that waits for a retry, the end of a pause or of a lease. */
export async function passTime(db: Db): Promise<void> {
  await sql`
    update webhook_deliveries set next_attempt_at = now(), leased_until = case when leased_until is not null then now() - interval '1 second' end
    where next_attempt_at is not null`.execute(db);
  await sql`update webhooks set paused_until = null`.execute(db);
}

export type DeliveryRow = {
  status: string;
  attempts: { status_code: number | null; error: string | null; response_body: string | null }[];
  attempt_count: number;
  next_attempt_at: string | null;
  leased_until: string | null;
  is_forced: boolean;
  request: { headers: Record<string, string>; body?: string } | null;
};

export async function readDeliveryRow(db: Db, id: number): Promise<DeliveryRow> {
  const { rows } = await sql<DeliveryRow>`select * from webhook_deliveries where id = ${id}`.execute(db);
  return rows[0] as DeliveryRow;
}

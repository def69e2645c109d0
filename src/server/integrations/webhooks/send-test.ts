import type { Delivery } from "../../../shared/webhooks.ts";
import type { Db } from "../../db/connect.ts";
import { queueTest } from "../../record/webhook-events.ts";
import { readDelivery } from "./deliveries.ts";
import type { WebhookOwner } from "./webhook-owner.ts";

/** Queues an event that shows whether the address works. */
export async function sendTest(
  db: Db,
  owner: WebhookOwner,
  { webhookId, actorId }: { webhookId: number; actorId: number },
): Promise<Delivery> {
  return db.transaction().execute(async (tx) => {
    const id = await queueTest(tx, { id: webhookId, ...owner }, actorId);
    return readDelivery(tx, webhookId, id);
  });
}

import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { noSuchWebhook } from "./read-webhooks.ts";
import { auditScope, ofOwner, type WebhookOwner } from "./webhook-owner.ts";

/** Deletes the webhook and what it has sent. 404 if the owner has no such webhook. */
export async function deleteWebhook(db: Db, owner: WebhookOwner, webhookId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom("webhooks")
      .where(ofOwner(owner))
      .where("id", "=", webhookId)
      .returning(["id", "url"])
      .executeTakeFirst();
    if (!row) throw noSuchWebhook();
    await recordAudit(tx, {
      kind: "webhook.deleted",
      ...auditScope(owner),
      subject: { type: "webhook", id: row.id, name: new URL(row.url).host },
    });
  });
}

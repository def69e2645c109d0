import { sql } from "kysely";
import type { Webhook, WebhookWithSecret } from "../../../shared/webhooks.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { masked, noSuchWebhook, SHOWN } from "./read-webhooks.ts";
import { newSecret, writeSecret } from "./secret.ts";
import { auditScope, ofOwner, type WebhookOwner } from "./webhook-owner.ts";

/** For 24 hours the former secret signs as well; one from before that no longer does. 404 if the owner has no such webhook. */
export async function rotateSecret(
  db: Db,
  owner: WebhookOwner,
  webhookId: number,
): Promise<WebhookWithSecret> {
  const secret = newSecret();
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable("webhooks")
      .set({
        secret,
        previous_secret: sql`secret`,
        previous_secret_until: sql`clock_timestamp() + interval '24 hours'`,
        updated_at: sql`clock_timestamp()`,
      })
      .where(ofOwner(owner))
      .where("id", "=", webhookId)
      .returning(SHOWN)
      .$castTo<Webhook>()
      .executeTakeFirst();
    if (!row) throw noSuchWebhook();
    await recordAudit(tx, {
      kind: "webhook.secret_rotated",
      ...auditScope(owner),
      subject: { type: "webhook", id: webhookId, name: new URL(row.url).host },
    });
    return { ...masked(row), secret: writeSecret(secret) };
  });
}

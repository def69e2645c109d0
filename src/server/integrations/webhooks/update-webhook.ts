import { sql } from "kysely";
import type { z } from "zod";
import type { Webhook, webhookChanges } from "../../../shared/webhooks.ts";
import { invalid } from "../../answers/errors.ts";
import type { AllowedHosts } from "../../config/allowed-hosts.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { changedColumns } from "../../db/patch-columns.ts";
import { recordAudit } from "../../record/audit.ts";
import { problemOfUrl } from "./address/problem-of-url.ts";
import { maskUrl } from "./mask-url.ts";
import { loadWebhook, masked, noSuchWebhook, SHOWN } from "./read-webhooks.ts";
import { auditScope, lockOwner, type WebhookOwner } from "./webhook-owner.ts";

/**
 * Changes the given fields. What waits for a webhook that is turned off counts as failed, so that it can be recovered; one that is
 * turned on starts with new events. 404 if the owner has no such webhook.
 */
export async function updateWebhook(
  db: Db,
  allowed: AllowedHosts,
  owner: WebhookOwner,
  { webhookId, body }: { webhookId: number; body: z.output<typeof webhookChanges> },
): Promise<Webhook> {
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner);
    const before = await loadWebhook(tx, owner, webhookId);
    const { events, format, active } = body;
    const isMasked = body.url === maskUrl(before.url, before.format);
    const url = isMasked ? before.url : body.url;
    const problem = url !== undefined && url !== before.url ? problemOfUrl(url, allowed) : undefined;
    if (problem) throw invalid({ url: [problem] });
    const changes = changedColumns(before, { url, events, format, active });
    if (!changes) return masked(before);
    const row = await tx
      .updateTable("webhooks")
      .set({
        ...changes,
        updated_at: sql`clock_timestamp()`,
        // A new address or a new start has no history of failures.
        ...(changes.url !== undefined || changes.active === true
          ? { failing_since: null, paused_until: null, disabled_reason: null }
          : {}),
      })
      .where("id", "=", webhookId)
      .returning(SHOWN)
      .$castTo<Webhook>()
      .executeTakeFirst();
    if (!row) throw noSuchWebhook();
    if (changes.active === false) await giveUpWaiting(tx, webhookId);
    await recordAudit(tx, {
      kind: "webhook.changed",
      ...auditScope(owner),
      subject: { type: "webhook", id: webhookId, name: new URL(row.url).host },
      // Addresses may be secrets.
      details: { ...changes, url: changes.url === undefined ? undefined : maskUrl(row.url, row.format) },
    });
    return masked(row);
  });
}

/** Deliveries that someone asked for are sent even if the webhook is not active. */
async function giveUpWaiting(tx: Tx, webhookId: number): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null
    where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at is not null and not is_forced`.execute(
    tx,
  );
}

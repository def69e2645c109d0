import { sql } from "kysely";
import type { z } from "zod";
import {
  MAX_WEBHOOKS,
  type Webhook,
  type webhookBody,
  type WebhookWithSecret,
} from "../../../shared/webhooks.ts";
import { invalid, refused } from "../../answers/errors.ts";
import type { AllowedHosts } from "../../config/allowed-hosts.ts";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { problemOfUrl } from "./address/problem-of-url.ts";
import { SHOWN } from "./read-webhooks.ts";
import { newSecret, writeSecret } from "./secret.ts";
import { auditScope, lockOwner, ofOwner, type WebhookOwner } from "./webhook-owner.ts";

/** Only this response shows the secret and, of a chat, the whole address. 422 if the owner has as many webhooks as it can have. */
export async function createWebhook(
  db: Db,
  allowed: AllowedHosts,
  owner: WebhookOwner,
  { actorId, body }: { actorId: number; body: z.output<typeof webhookBody> },
): Promise<WebhookWithSecret> {
  const problem = problemOfUrl(body.url, allowed);
  if (problem) throw invalid({ url: [problem] });
  const secret = newSecret();
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner);
    const { count } = await tx
      .selectFrom("webhooks")
      .select(sql<number>`count(*)::int`.as("count"))
      .where(ofOwner(owner))
      .executeTakeFirstOrThrow();
    if (count >= MAX_WEBHOOKS)
      throw refused(
        `A ${owner.project_id === null ? "workspace" : "project"} can have at most ${MAX_WEBHOOKS} webhooks. Delete one first.`,
      );
    const { url, events, format, active } = body;
    const row = await tx
      .insertInto("webhooks")
      .values({
        ...owner,
        url,
        events,
        format: format ?? "signalbox",
        active: active ?? true,
        secret,
        created_by: actorId,
      })
      .returning(SHOWN)
      .$castTo<Webhook>()
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "webhook.created",
      ...auditScope(owner),
      subject: { type: "webhook", id: row.id, name: new URL(url).host },
      details: { events, format: row.format, active: row.active },
    });
    return { ...row, secret: writeSecret(secret) };
  });
}

import type { Page } from "../../../shared/answers.ts";
import type { Webhook } from "../../../shared/webhooks.ts";
import { notFound } from "../../answers/errors.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";
import { maskUrl } from "./mask-url.ts";
import { ofOwner, type WebhookOwner } from "./webhook-owner.ts";

export const SHOWN = [
  "id",
  "url",
  "events",
  "format",
  "active",
  "disabled_reason",
  "failing_since",
  "created_by",
  "created_at",
  "updated_at",
] as const;

export async function listWebhooks(db: Db, owner: WebhookOwner, query: PageQuery): Promise<Page<Webhook>> {
  const rows = db.selectFrom("webhooks").select(SHOWN).where(ofOwner(owner)).$castTo<Webhook>();
  const { data, meta } = await readPage(rows, query, "id");
  return { data: data.map(masked), meta };
}

export async function readWebhook(db: Db, owner: WebhookOwner, webhookId: number): Promise<Webhook> {
  return masked(await loadWebhook(db, owner, webhookId));
}

/** With its whole address. 404 if the owner has no such webhook. */
export async function loadWebhook(db: Db, owner: WebhookOwner, webhookId: number): Promise<Webhook> {
  const row = await db
    .selectFrom("webhooks")
    .select(SHOWN)
    .where(ofOwner(owner))
    .where("id", "=", webhookId)
    .$castTo<Webhook>()
    .executeTakeFirst();
  if (!row) throw noSuchWebhook();
  return row;
}

export const masked = (webhook: Webhook): Webhook => ({
  ...webhook,
  url: maskUrl(webhook.url, webhook.format),
});

export const noSuchWebhook = () => notFound("There is no such webhook.");

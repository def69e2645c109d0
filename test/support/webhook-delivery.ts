import { beforeEach, type TestContext } from "node:test";
import { sql } from "kysely";
import { WebhookDelivery } from "../../src/server/integrations/webhooks/deliver/webhook-delivery.ts";
import { makeProject, makeWorkspace } from "./make.ts";
import { useTestApp } from "./test-app.ts";
import { ALLOW_LOCAL, openReceiver } from "./webhook-receiver.ts";
import { readDeliveryRow, type TestWebhook } from "./webhooks.ts";

/** A project whose webhooks may send to this machine. Each test begins without webhooks. */
export async function useWebhookDelivery() {
  const t = await useTestApp();
  const workspace = await makeWorkspace(t.db);
  const project = await makeProject(t.db, workspace.id);
  beforeEach(() => t.db.deleteFrom("webhooks").execute());
  const makeSender = (options: { runMs?: number; headersMs?: number } = {}) =>
    new WebhookDelivery(t.db, {
      allowed: ALLOW_LOCAL,
      publicUrl: () => "https://track.example.com",
      ...options,
    });
  return {
    t,
    workspace,
    project,
    owner: { workspace_id: workspace.id, project_id: project.id },
    delivery: makeSender(),
    /** A further process that sends. */
    makeSender,
    row: (id: number) => readDeliveryRow(t.db, id),
    webhookRow: (webhook: TestWebhook) =>
      t.db.selectFrom("webhooks").selectAll().where("id", "=", webhook.id).executeTakeFirstOrThrow(),
    secondsUntil: async (id: number) => {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from next_attempt_at - clock_timestamp())::float8 as seconds from webhook_deliveries
        where id = ${id}`.execute(t.db);
      return rows[0]?.seconds ?? 0;
    },
    receiverWith: (context: TestContext, status: number, headers: Record<string, string> = {}) =>
      openReceiver(context, (response) => response.writeHead(status, headers).end()),
  };
}

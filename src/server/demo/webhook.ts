import { randomBytes } from "node:crypto";
import type { Tx } from "../db/connect.ts";
import { at, DAY, MINUTE } from "./times.ts";

/** Adds a webhook that is turned off, so that the demo sends nothing, with what it has sent before. */
export async function addWebhook(
  tx: Tx,
  project: { id: number; workspace_id: number; key: string },
  userId: number,
  now: number,
): Promise<void> {
  const { id } = await tx
    .insertInto("webhooks")
    .values({
      workspace_id: project.workspace_id,
      project_id: project.id,
      url: "https://hooks.example.com/signalbox",
      events: ["issue.*", "error_group.created"],
      format: "signalbox",
      active: false,
      secret: randomBytes(32),
      created_by: userId,
      created_at: at(now - 30 * DAY),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const attempt = (startedAt: number, status_code: number, response_body: string) => ({
    started_at: `${new Date(startedAt).toISOString().slice(0, -1)}000Z`,
    duration_ms: 48,
    status_code,
    error: null,
    response_body,
  });
  const sent = now - 2 * DAY;
  const deliveries = [
    { event: "issue.closed", status: "succeeded", attempts: [attempt(sent, 204, "")] },
    {
      event: "error_group.created",
      status: "succeeded",
      attempts: [attempt(sent, 503, "busy"), attempt(sent + 5 * MINUTE, 200, "ok")],
    },
  ];
  await tx
    .insertInto("webhook_deliveries")
    .values(
      deliveries.map(({ event, status, attempts }) => {
        const event_id = `evt_${randomBytes(16).toString("hex")}`;
        return {
          webhook_id: id,
          event_id,
          event,
          object_kind: event.split(".")[0] as string,
          object_id: 1,
          body: JSON.stringify({ id: event_id, type: event, project: { id: project.id, key: project.key } }),
          status,
          attempts: JSON.stringify(attempts),
          attempt_count: attempts.length,
          next_attempt_at: null,
          created_at: at(sent),
        };
      }),
    )
    .execute();
}

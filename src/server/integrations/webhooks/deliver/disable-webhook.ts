import { sql } from "kysely";
import { WEBHOOK_DISABLED } from "../../../../shared/notifications.ts";
import { usersWhere } from "../../../access/access-queries.ts";
import type { Tx } from "../../../db/connect.ts";
import { shorten } from "../../../inform/notify/message-parts.ts";
import { notify } from "../../../inform/notify/notify.ts";
import { recordAudit } from "../../../record/audit.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

type DisabledWebhook = {
  id: number;
  workspace_id: number;
  project_id: number | null;
  url: string;
  created_by: number | null;
};

type Project = { id: number; workspace_id: number; key: string; name: string };

/** Turns a webhook off, and notifies its creator, or all who manage it if the creator no longer does. */
export async function disableWebhook(
  tx: Tx,
  delivery: ClaimedDelivery,
  reason: "gone" | "failing",
): Promise<void> {
  const webhook = await tx
    .updateTable("webhooks")
    .set({ active: false, disabled_reason: reason, updated_at: sql`clock_timestamp()` })
    .where("id", "=", delivery.webhook_id)
    .returning(["id", "workspace_id", "project_id", "url", "created_by"])
    .executeTakeFirstOrThrow();
  // They can be recovered. Those that someone asked for are sent nevertheless.
  await sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null
    where webhook_id = ${webhook.id} and status = 'pending' and next_attempt_at is not null and not is_forced`.execute(
    tx,
  );
  await recordAudit(tx, {
    kind: "webhook.changed",
    ...(webhook.project_id === null
      ? { workspace_id: webhook.workspace_id }
      : { project_id: webhook.project_id }),
    subject: { type: "webhook", id: webhook.id, name: new URL(webhook.url).host },
    details: { active: false, disabled_reason: reason },
    actor_id: null,
  });
  await notifyOfDisabled(tx, webhook, delivery, reason);
}

async function notifyOfDisabled(
  tx: Tx,
  webhook: DisabledWebhook,
  delivery: ClaimedDelivery,
  reason: "gone" | "failing",
): Promise<void> {
  const project = await projectOf(tx, webhook, delivery);
  if (!project) return;
  const host = shorten(new URL(webhook.url).host);
  const why =
    reason === "gone"
      ? "because its address is gone (status 410)"
      : "because nothing could be delivered for 7 days";
  const managers =
    webhook.project_id === null
      ? sql`select user_id from workspace_members
          where workspace_id = ${webhook.workspace_id} and is_admin and deactivated_at is null`
      : usersWhere(project, "project:update");
  const settings =
    webhook.project_id === null
      ? `/workspaces/${webhook.workspace_id}/settings`
      : `/projects/${project.key}/settings`;
  await notify(tx, {
    subject: { workspace_id: webhook.workspace_id, project_id: project.id },
    actorId: null,
    recipients: sql`
      select manager.user_id, 1 from (${managers}) manager
      where manager.user_id = ${webhook.created_by}::bigint
        or not exists (select from (${managers}) other where other.user_id = ${webhook.created_by}::bigint)`,
    allowed: managers,
    notices: [
      {
        type: WEBHOOK_DISABLED,
        message: `The webhook to ${host} was turned off ${why}`,
        preference: "email_notifications_enabled",
        lines: ["Once the receiver works, turn it on again and resend what it missed."],
        button: { label: "Open the settings", path: settings },
      },
    ],
  });
}

/** Entries in the inbox belong to a project. For a workspace's webhook, it is the project of the event, or the oldest one. */
async function projectOf(
  tx: Tx,
  { workspace_id, project_id }: DisabledWebhook,
  { body }: ClaimedDelivery,
): Promise<Project | undefined> {
  const { project } = JSON.parse(body) as { project: { id: number } | null };
  const { rows } = await sql<Project>`
    select id, workspace_id, key, name from projects
    where workspace_id = ${workspace_id} and deleted_at is null and (${project_id}::bigint is null or id = ${project_id})
    order by (id = ${project?.id ?? null}) desc nulls last, id limit 1`.execute(tx);
  return rows[0];
}

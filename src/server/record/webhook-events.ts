import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { WebhookEventName } from "../../shared/webhooks.ts";
import type { Tx } from "../db/connect.ts";
import { cutTexts } from "./cut-texts.ts";
import { currentOrigin } from "./origin.ts";

export type WebhookObject =
  | "report"
  | "issue"
  | "comment"
  | "error_group"
  | "release"
  | "epic"
  | "sprint"
  | "project"
  | "webhook";

export type WebhookEvent = {
  type: WebhookEventName;
  kind: WebhookObject;
  id: number;
  /** The object as its GET route returns it; of a deleted object, its last state. */
  data: object;
  /** What `*.updated` changed. */
  changes?: Record<string, { from: unknown; to: unknown }>;
};

type Source = { projectId: number; actorId: number | null };

/**
 * Adds a delivery for each webhook of the project and of its workspace that is told of an event, in the transaction of the
 * change: a job sends it after the commit. `events` may be a function, which is called only if the project has a webhook. It
 * reads all objects at once.
 */
export async function queueWebhookEvents(
  tx: Tx,
  source: Source,
  events: WebhookEvent[] | (() => Promise<WebhookEvent[]>),
): Promise<void> {
  if (Array.isArray(events) && events.length === 0) return;
  const webhooks = await sql<{ id: number; events: string[] }>`
    select w.id, w.events from projects p
    join webhooks w on w.workspace_id = p.workspace_id and (w.project_id is null or w.project_id = p.id)
    where p.id = ${source.projectId} and w.active`.execute(tx);
  if (webhooks.rows.length === 0) return;
  const happened = Array.isArray(events) ? events : await events();
  await addDeliveries(
    tx,
    { ...source, workspaceId: null },
    happened.map((event) => ({
      ...event,
      webhook_ids: webhooks.rows.filter((webhook) => isTold(webhook.events, event.type)).map(({ id }) => id),
    })),
  );
}

/** Adds deliveries of rules' alerts to webhooks of the project. Those that have been deleted or turned off are left out. */
export async function queueAlerts(
  tx: Tx,
  projectId: number,
  alerts: (WebhookEvent & { webhookId: number })[],
): Promise<void> {
  if (alerts.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    select id from webhooks
    where id = any(${alerts.map(({ webhookId }) => webhookId)}::bigint[]) and project_id = ${projectId} and active`.execute(
    tx,
  );
  const active = new Set(rows.map(({ id }) => id));
  await addDeliveries(
    tx,
    { projectId, workspaceId: null, actorId: null },
    alerts
      .filter(({ webhookId }) => active.has(webhookId))
      .map(({ webhookId, ...event }) => ({ ...event, webhook_ids: [webhookId] })),
  );
}

/** Adds a delivery that shows whether the webhook's address works, and returns its id. It is sent even if the webhook is turned off. */
export async function queueTest(
  tx: Tx,
  webhook: { id: number; workspace_id: number; project_id: number | null },
  actorId: number,
): Promise<number> {
  const ids = await addDeliveries(
    tx,
    { projectId: webhook.project_id, workspaceId: webhook.workspace_id, actorId },
    [
      {
        type: "webhook.test",
        kind: "webhook",
        id: webhook.id,
        data: { message: "This is a test from Signalbox." },
        webhook_ids: [webhook.id],
      },
    ],
  );
  return ids[0] as number;
}

const isTold = (subscribed: string[], type: string) =>
  subscribed.some((name) => name === "*" || name === type || name === `${type.split(".")[0]}.*`);

type AddressedEvent = WebhookEvent & { webhook_ids: number[] };

type Place = { projectId: number | null; workspaceId: number | null; actorId: number | null };

type EventContext = {
  workspace_id: number;
  project: object | null;
  actor: object | null;
  timestamp: string;
};

/** Returns the ids of the deliveries, in the order of the events. */
async function addDeliveries(tx: Tx, place: Place, events: AddressedEvent[]): Promise<number[]> {
  const wanted = events.filter(({ webhook_ids }) => webhook_ids.length > 0);
  if (wanted.length === 0) return [];
  const context = await readContext(tx, place);
  const deliveries = wanted.map((event, n) => {
    const event_id = `evt_${randomBytes(16).toString("hex")}`;
    const { type, kind, id, webhook_ids } = event;
    return { n, event_id, type, kind, id, webhook_ids, ...bodyOf(event_id, event, context) };
  });
  const { rows } = await sql<{ id: number }>`
    with event as materialized (
      select *, nextval('webhook_sequence') as sequence from (
        select * from json_to_recordset(${JSON.stringify(deliveries)})
          as e (n int, event_id text, type text, kind text, id bigint, webhook_ids bigint[], head text, tail text)
        order by n) e
    )
    insert into webhook_deliveries (webhook_id, event_id, event, object_kind, object_id, body, is_forced)
    select webhook_id, event_id, type, kind, id, head || sequence || tail, type = 'webhook.test'
    from event, unnest(webhook_ids) webhook_id
    order by n, webhook_id
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function readContext(tx: Tx, { projectId, workspaceId, actorId }: Place): Promise<EventContext> {
  // What a project token does has no person behind it.
  const actor = currentOrigin().token?.kind === "project" ? null : actorId;
  const { rows } = await sql<EventContext>`
    select coalesce(p.workspace_id, ${workspaceId}) as workspace_id, clock_timestamp() as timestamp,
      case when p.id is not null then json_build_object('id', p.id, 'key', p.key) end as project,
      case when u.id is not null then json_build_object('id', u.id, 'username', u.username,
        'first_name', u.first_name, 'last_name', u.last_name) end as actor
    from (values (1)) one
    left join projects p on p.id = ${projectId}
    left join users u on u.id = ${actor}`.execute(tx);
  return rows[0] as EventContext;
}

/** The JSON text before and after the sequence number, which the database assigns. */
function bodyOf(
  id: string,
  { type, data, changes }: WebhookEvent,
  { timestamp, ...context }: EventContext,
): { head: string; tail: string } {
  const { value, truncated } = cutTexts(changes === undefined ? { data } : { changes, data });
  const rest = { ...context, ...value, ...(truncated.length > 0 ? { truncated } : {}) };
  return {
    head: `${JSON.stringify({ id, type, timestamp }).slice(0, -1)},"sequence":`,
    tail: `,${JSON.stringify(rest).slice(1)}`,
  };
}

import { sql } from "kysely";
import { VERSION } from "../../../config/version.ts";
import type { Db } from "../../../db/connect.ts";
import { chatRequest } from "../../chat/chat-request.ts";
import type { EventBody } from "../../chat/event-body.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import { signatureHeaders } from "./sign.ts";

const USER_AGENT = `Signalbox/${VERSION}`;

/** What to send; undefined if a chat message of the last hour stands for it. */
export async function makeRequest(
  db: Db,
  delivery: ClaimedDelivery,
  publicUrl: string,
): Promise<{ headers: Record<string, string>; body: string } | undefined> {
  const { format, body, event_id: id, started_at, secrets } = delivery;
  if (format === "signalbox") {
    const signature = signatureHeaders(secrets, { id, timestamp: Math.floor(started_at), body });
    return { headers: { "content-type": "application/json", "user-agent": USER_AGENT, ...signature }, body };
  }
  const more = await countHeldBack(db, delivery);
  if (more === undefined) return undefined;
  const message = chatRequest(format, JSON.parse(body) as EventBody, { publicUrl, more });
  return { headers: { ...message.headers, "user-agent": USER_AGENT }, body: message.body };
}

/**
 * A chat gets one message per error group and hour. Returns undefined if this event falls into the hour of an earlier message, otherwise
 * how many events did since the last message. Alerts have a limit of their own, and are not counted. What someone asked for is sent.
 */
async function countHeldBack(db: Db, delivery: ClaimedDelivery): Promise<number | undefined> {
  if (delivery.is_forced || !delivery.event.startsWith("error_group.")) return 0;
  const { rows } = await sql<{ is_recent: boolean; more: number }>`
    with settled as materialized (
      select started_at, attempts @? '$[*] ? (@.status_code >= 200 && @.status_code < 300)' as is_message
      from webhook_deliveries
      where webhook_id = ${delivery.webhook_id} and object_kind = 'error_group' and object_id = ${delivery.object_id}
        and event like 'error\\_group.%' and status = 'succeeded'
    ), last as materialized (select max(started_at) as at from settled where is_message)
    select coalesce(last.at > clock_timestamp() - interval '1 hour', false) as is_recent,
      (select count(*)::int from settled where not is_message and started_at > coalesce(last.at, '-infinity')) as more
    from last`.execute(db);
  const { is_recent, more } = rows[0] as { is_recent: boolean; more: number };
  return is_recent ? undefined : more;
}

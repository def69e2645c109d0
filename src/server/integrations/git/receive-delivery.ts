import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { sql } from "kysely";
import type { GitHost } from "../../../shared/git.ts";
import { badRequest, notFound, unauthorized } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { isKnownEvent } from "./hosts/read-delivery.ts";
import { isSigned } from "./verify-signature.ts";

/** The largest payload that hosts send. */
export const MAX_DELIVERY_BYTES = 25 * 1_048_576;

export type Receiver = { id: number; host: GitHost; secret: Buffer };

/** The connection with this address. 404 if there is none, or its project is being deleted. */
export async function findReceiver(db: Db, token: string): Promise<Receiver> {
  const { rows } = await sql<Receiver>`
    select c.id, c.host, c.secret from git_connections c join projects p on p.id = c.project_id
    where c.token = ${token} and p.deleted_at is null`.execute(db);
  const [row] = rows;
  if (!row) throw notFound("There is no such Git connection.");
  return row;
}

/** Stores a signed delivery, unless it was stored in the last 30 days. Events that are not processed are not stored. */
export async function receiveDelivery(
  db: Db,
  { id, host, secret }: Receiver,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Promise<void> {
  if (!isSigned({ host, secret, headers, body })) throw unauthorized("The signature is invalid.");
  const payload = payloadOf(headers, body);
  requireJson(payload);
  const event = firstOf(headers, EVENT_HEADERS[host]) ?? "";
  const isProcessed = isKnownEvent(host, event);
  await sql`
    with connection as (
      update git_connections set last_delivery_at = clock_timestamp() where id = ${id} returning id
    )
    insert into git_deliveries (connection_id, key, event, body)
    select id, ${keyOf(headers, body)}, ${event}, ${isProcessed ? payload : null} from connection where ${isProcessed}
    on conflict (connection_id, key) do nothing`.execute(db);
}

const EVENT_HEADERS: Record<GitHost, readonly string[]> = {
  github: ["x-github-event"],
  gitlab: ["x-gitlab-event"],
  gitea: ["x-gitea-event", "x-forgejo-event", "x-github-event"],
};

const ID_HEADERS = ["x-github-delivery", "x-gitea-delivery", "idempotency-key", "x-gitlab-event-uuid"];

const keyOf = (headers: IncomingHttpHeaders, body: Buffer): Buffer =>
  hash("sha256", firstOf(headers, ID_HEADERS) ?? body, "buffer");

function firstOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The JSON text; GitHub can also send it as a form. */
function payloadOf(headers: IncomingHttpHeaders, body: Buffer): string {
  const text = body.toString("utf8");
  const isForm = (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  return isForm ? (new URLSearchParams(text).get("payload") ?? "") : text;
}

function requireJson(payload: string): void {
  try {
    JSON.parse(payload);
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Context } from "../../../access/context.ts";
import { HttpError, tooMany } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { clientAddress } from "../../../http/client-address.ts";
import { outcomeOf } from "../../../http/observe-requests.ts";
import { ingest, type Intake } from "../../pipeline.ts";
import type { Sender } from "../../sender.ts";
import type { ExportedException } from "../../read/otlp/read-export.ts";

export type OtlpIntake = Intake & Pick<Context, "keyLimits" | "limiter" | "metrics" | "config">;

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** Exceptions stored at the same time, so that a request takes no more room than a batch. */
const AT_ONCE = 200;

/**
 * Stores the exceptions that were not stored before, and resolves after the commit. 429 over the sender's limit, 503 when too many
 * events are waiting. Sending the request again then counts nothing twice.
 */
export async function storeExceptions(
  intake: OtlpIntake,
  exceptions: readonly ExportedException[],
  exchange: Exchange,
): Promise<void> {
  const { request } = exchange;
  const { id: projectId } = request.project;
  const stored = await storedNearby(intake.db, projectId, exceptions);
  const fresh = exceptions.filter(({ nearby }) => !nearby.some((id) => stored.has(id)));
  intake.usage.add(projectId, "duplicate", exceptions.length - fresh.length);
  const { origin, "user-agent": userAgent } = request.headers;
  const sender: Sender = { projectId, client: clientOf(request), origin, userAgent, isOtlp: true };
  try {
    for (const _ of fresh) await takePermit(intake, exchange);
    for (let start = 0; start < fresh.length; start += AT_ONCE)
      await Promise.all(
        fresh
          .slice(start, start + AT_ONCE)
          .map(({ body, id }) => ingest(intake, sender, { body: Buffer.from(body), id })),
      );
    for (const _ of fresh) intake.metrics.event("accepted");
  } catch (error) {
    intake.metrics.event(outcomeOf(error instanceof HttpError ? error.status : 503));
    throw error;
  }
}

/**
 * Which of the ids nearby are stored. Two requests at the same time that report one exception have the same id, unless a period ends
 * between the two.
 */
async function storedNearby(
  db: Db,
  projectId: number,
  exceptions: readonly ExportedException[],
): Promise<Set<string>> {
  const ids = exceptions.flatMap(({ nearby }) => nearby);
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select replace(event_id::text, '-', '') as id from error_event_ids
    where project_id = ${projectId} and event_id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** An ingest key is public, so each address that uses it is a client of its own. */
const clientOf = (request: FastifyRequest): string =>
  request.keyUse ? `ing:${request.keyUse.keyId} ${clientAddress(request)}` : request.caller.key;

/** 429 over the limit of the key or token. */
async function takePermit({ keyLimits, limiter, config }: OtlpIntake, { request, reply }: Exchange) {
  const { keyUse, caller } = request;
  const verdict = keyUse
    ? await keyLimits.take(keyUse.keyId, clientAddress(request))
    : await limiter.take(`ingest:${caller.key}`, config.limits.ingest);
  void reply.headers({ "x-ratelimit-limit": verdict.limit, "x-ratelimit-remaining": verdict.remaining });
  if (!verdict.allowed) throw tooMany(verdict.retryAfter);
}

import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { IngestKey } from "../../../access/ingest-key.ts";
import type { KeyLimits } from "../../../limits/key-limits.ts";
import { featureRestricted, HttpError } from "../../../answers/errors.ts";
import { clientAddress } from "../../../http/client-address.ts";
import type { Metrics } from "../../../http/metrics.ts";
import { outcomeOf } from "../../../http/observe-requests.ts";
import { ingest, type Intake, type SentEvent } from "../../pipeline.ts";
import type { Relay } from "../../relay/relay.ts";
import type { Sender } from "../../sender.ts";
import type { SessionCounter } from "../../sessions/session-counter.ts";
import { askToPause } from "./ask-to-pause.ts";

export type EventIntake = Intake & {
  keyLimits: KeyLimits;
  metrics: Metrics;
  sessions: SessionCounter;
  relay: Relay;
};

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/**
 * Stores the events and returns the id of the first one after the commit. 403 if error tracking is off, 429 over the
 * key's limit, 503 when too many events are waiting.
 */
export async function storeSentryEvents(
  intake: EventIntake,
  key: IngestKey,
  events: SentEvent[],
  exchange: Exchange,
): Promise<string> {
  try {
    if (!key.errorTracking) throw featureRestricted("Error Tracking");
    for (const _ of events) await takePermit(intake, key, exchange);
  } catch (error) {
    countFailure(intake, error);
    throw error;
  }
  const { request } = exchange;
  return storePermitted(intake, key, events, { headers: request.headers, address: clientAddress(request) });
}

/** Where events come from: the headers of the request, and its client's address. */
type Origin = { headers: IncomingHttpHeaders; address: string };

/** Like `storeSentryEvents`, but counts nothing against the limit. */
export async function storePermitted(
  intake: EventIntake,
  key: IngestKey,
  events: SentEvent[],
  from: Origin,
): Promise<string> {
  try {
    const sender = senderOf(key, from);
    const ids = await Promise.all(events.map((event) => ingest(intake, sender, event)));
    for (const _ of events) intake.metrics.event("accepted");
    return ids[0] as string;
  } catch (error) {
    countFailure(intake, error);
    throw error;
  }
}

const senderOf = (
  { id, projectId, userHashSecret, keepDebugEvents }: IngestKey,
  { headers, address }: Origin,
): Sender => ({
  projectId,
  client: `ing:${id} ${address}`,
  origin: headers.origin,
  userAgent: headers["user-agent"],
  sentry: { userHashSecret, keepDebugEvents },
});

const countFailure = ({ metrics }: EventIntake, error: unknown) =>
  metrics.event(outcomeOf(error instanceof HttpError ? error.status : 503));

/** 429 over the limit. Only responses to requests with events ask for a pause: each such response starts a new one. */
async function takePermit({ keyLimits }: EventIntake, { id }: IngestKey, { request, reply }: Exchange) {
  const verdict = await keyLimits.take(id, clientAddress(request));
  void reply.headers({ "x-ratelimit-limit": verdict.limit, "x-ratelimit-remaining": verdict.remaining });
  if (verdict.allowed) return;
  askToPause(reply, verdict.retryAfter, "error:key");
  throw tooManyEvents(verdict.retryAfter);
}

const tooManyEvents = (seconds: number) =>
  new HttpError(
    429,
    `The key has sent too many events. Try again in ${seconds} s.`,
    {},
    {
      "retry-after": String(seconds),
    },
  );

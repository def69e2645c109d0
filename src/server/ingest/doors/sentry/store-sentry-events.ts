import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { IngestKey } from "../../../access/find-ingest-key.ts";
import type { KeyLimits } from "../../../limits/key-limits.ts";
import { featureRestricted, HttpError } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { clientAddress } from "../../../http/client-address.ts";
import type { Metrics } from "../../../http/metrics.ts";
import { outcomeOf } from "../../../http/observe-requests.ts";
import { addEvent } from "../add-event.ts";
import { readEventId } from "../../read/event-additions.ts";
import type { Ingestion } from "../../store/ingestion.ts";
import type { ReadEvent } from "../../read/read-event.ts";
import type { UsageCounter } from "../../../record/usage-counter.ts";
import { knownProjectRules, readProjectRules } from "../../project-rules/read-project-rules.ts";
import { askToPause } from "./ask-to-pause.ts";
import type { SentryEventReader } from "../../read/sentry/sentry-event-reader.ts";

export type EventIntake = {
  db: Db;
  ingestion: Ingestion;
  reader: SentryEventReader;
  keyLimits: KeyLimits;
  metrics: Metrics;
  usage: UsageCounter;
};

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** The JSON of an event, and the id that its envelope gives it. */
export type SentEvent = { payload: Buffer; id?: unknown };

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
    const ids = await Promise.all(events.map((event) => store(intake, key, event, from)));
    for (const _ of events) intake.metrics.event("accepted");
    return ids[0] as string;
  } catch (error) {
    countFailure(intake, error);
    throw error;
  }
}

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

async function store(
  { db, ingestion, reader, usage }: EventIntake,
  { id: keyId, projectId, userHashSecret, keepVars, keepDebugEvents }: IngestKey,
  { payload, id }: SentEvent,
  { headers: { origin, "user-agent": userAgent }, address }: Origin,
): Promise<string> {
  ingestion.requireRoom(projectId);
  const size = payload.length; // read first: a large payload is transferred to the worker and is empty afterwards
  const { privacyRules, inboundRules, hasPatterns, awaitedEvents } =
    knownProjectRules(db, projectId) ?? (await readProjectRules(db, projectId));
  const settings = { keepDebugEvents, keepVars, privacyRules, inboundRules };
  const sender = { userAgent, origin, userHashSecret, settings };
  const event = await reader.read(payload, sender, { projectId, hasPatterns });
  const event_id = event.event_id ?? readEventId(id) ?? newEventId();
  if ("droppedBy" in event) {
    if (event.droppedBy === undefined) usage.add(projectId, event.outcome);
    else usage.addDropped(projectId, event.droppedBy);
    return event_id;
  }
  await addEvent(ingestion, db, awaitedEvents, {
    projectId,
    event: withId(event, event_id),
    size,
    client: `ing:${keyId} ${address}`,
  });
  return event_id;
}

const withId = (event: ReadEvent, event_id: string): ReadEvent => Object.assign(event, { event_id });

const newEventId = () => randomUUID().replaceAll("-", "");

import { randomUUID } from "node:crypto";
import type { Db } from "../db/connect.ts";
import type { UsageCounter } from "../record/usage-counter.ts";
import { announceAwaiting, isAwaited } from "../reports/awaited-events.ts";
import { keepStoredEvent } from "../reports/keep-event.ts";
import type { EventReader } from "./event-reader.ts";
import type { MappedGrouping } from "../source-maps/grouping/mapped-grouping.ts";
import type { AlertCounter } from "./store/alert-counter.ts";
import { NO_RULES, type ProjectRulesLookup } from "./project-rules/project-rules.ts";
import { readEventId } from "./read/event-additions.ts";
import type { Sender } from "./sender.ts";
import type { Arrival } from "./store/event-batch.ts";
import type { Ingestion } from "./store/ingestion.ts";

/** What the steps need. */
export type Intake = {
  db: Db;
  projectRules: ProjectRulesLookup;
  ingestion: Ingestion;
  reader: EventReader;
  mappedGrouping: MappedGrouping;
  usage: UsageCounter;
  alertCounter: AlertCounter;
};

/** An event as it arrived. `id` is the one that its envelope gives it. */
export type SentEvent = { body: Buffer; id?: unknown };

/**
 * The steps of an event from its body to its commit, the same for each protocol, at the doors and in the routes. Before them, the
 * sender is admitted, the request gets a place among those in flight, its body arrives, and it uses a permit of its limit.
 *
 * Resolves with the id of the event once it is committed or was dropped. 400, 413 or 422 if it cannot be read, 404 if its project
 * has been deleted, 503 if too many events are waiting.
 */
export async function ingest(
  { db, projectRules, ingestion, reader, mappedGrouping, usage, alertCounter }: Intake,
  sender: Sender,
  { body, id }: SentEvent,
): Promise<string | null> {
  const { projectId, client } = sender;
  // Before the work of reading the event.
  ingestion.requireRoom(projectId);
  const size = body.length; // read first: a large body is transferred to the worker and is empty afterwards
  const rules = projectRules.known(projectId) ?? (await projectRules.get(projectId)) ?? NO_RULES;
  // Parses and repairs, removes personal data, computes the fingerprint, and tries the rules that drop events.
  const event = await reader.read(body, sender, rules);
  const event_id = event.event_id ?? readEventId(id) ?? (sender.sentry ? newEventId() : null);
  if ("outcome" in event) {
    if (event.droppedBy === undefined) usage.add(projectId, event.outcome);
    else usage.addDropped(projectId, event.droppedBy);
    return event_id;
  }
  const grouped = rules.groupsByMappedFrames ? await mappedGrouping.regroup(projectId, event) : event;
  // Waits for the commit of the batch that has the event. If a report refers to it, it is kept in full.
  const isNew = await storeExpected({ db, ingestion }, rules.awaitedEvents, {
    projectId,
    event: grouped.event_id === event_id ? grouped : { ...grouped, event_id },
    size,
    client,
  });
  if (isNew && rules.countingRules !== null) alertCounter.add(projectId, grouped, rules.countingRules);
  return event_id;
}

const newEventId = () => randomUUID().replaceAll("-", "");

/**
 * Stores an event, in full if a report refers to it. `awaited` has the ids of such events, up to a second old. Resolves and fails
 * like `Ingestion.add`.
 */
async function storeExpected(
  { db, ingestion }: Pick<Intake, "db" | "ingestion">,
  awaited: readonly string[] | null,
  arrival: Arrival,
): Promise<boolean> {
  const { projectId, event } = arrival;
  const isExpected = () => isAwaited(db, awaited, projectId, event.event_id);
  const isAwaitedNow = isExpected();
  const isNew = await ingestion.add(isAwaitedNow ? { ...arrival, isAwaited: true } : arrival);
  // The report may have arrived while the event was being stored.
  if (!isAwaitedNow && !isExpected()) return isNew;
  if (!isAwaitedNow) await keepStoredEvent(db, projectId, event.event_id as string);
  await announceAwaiting(db, projectId, event.event_id as string);
  return isNew;
}

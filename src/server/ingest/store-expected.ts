import type { Db } from "../db/connect.ts";
import { announceAwaiting, isAwaited } from "../reports/awaited-events.ts";
import { keepStoredEvent } from "../reports/keep-event.ts";
import type { Arrival } from "./store/event-batch.ts";
import type { Ingestion } from "./store/ingestion.ts";

/**
 * Stores an event, in full if a report refers to it. `awaited` has the ids of such events, up to a second old. Resolves and fails
 * like `Ingestion.add`.
 */
export async function storeExpected(
  { db, ingestion }: { db: Db; ingestion: Ingestion },
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

import type { IngestKey } from "../../../access/ingest-key.ts";
import type { Envelope } from "./envelope-parser.ts";
import type { EventIntake } from "./store-sentry-events.ts";

/** Counts the sessions of an envelope in memory. They belong to error tracking, and count against no limit. */
export function countSessions(
  { sessions, usage }: Pick<EventIntake, "sessions" | "usage">,
  key: IngestKey,
  { sessions: items }: Pick<Envelope, "sessions">,
): void {
  if (items.length === 0) return;
  if (key.errorTracking) sessions.add(key, items);
  else usage.add(key.projectId, "discarded", items.length);
}

import { sql } from "kysely";
import { ExpiringSet } from "../caches/expiring-set.ts";
import type { Db, Outside } from "../db/connect.ts";
import { announce } from "../record/live-changes.ts";

/** Longer than committing a report takes, and than the time for which a process caches a project's awaited events. */
const REMEMBER_MS = 10_000;

/** The events of reports that this process has just received. */
const noted = new WeakMap<Db, ExpiringSet<string>>();

/** Records that a report refers to an event. Call this before looking for the event: it may be stored in between. */
export function expectEvent(outside: Outside, projectId: number, eventId: string): void {
  let events = noted.get(outside);
  if (!events) noted.set(outside, (events = new ExpiringSet()));
  events.add(nameOf(projectId, eventId), REMEMBER_MS);
}

/** Whether a report refers to the event. `known` contains the cached ids of such events. */
export function isAwaited(
  db: Db,
  cachedIds: readonly string[] | null,
  projectId: number,
  eventId: string | null,
): boolean {
  if (eventId === null) return false;
  if (cachedIds?.includes(eventId)) return true;
  return noted.get(db)?.has(nameOf(projectId, eventId)) ?? false;
}

/** The number of events that this process remembers. */
export const countRemembered = (db: Db): number => noted.get(db)?.size ?? 0;

/** Announces the reports that refer to an event which has arrived after them: from now on, they show its error. */
export async function announceAwaiting(db: Db, projectId: number, eventId: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from reports
    where project_id = ${projectId} and error_event_id = ${eventId}::uuid and error_group_id is null`.execute(
    db,
  );
  await announce(
    db,
    rows.map(({ id }) => ({ kind: "report", project_id: projectId, id })),
  );
}

const nameOf = (projectId: number, eventId: string): string => `${projectId} ${eventId}`;

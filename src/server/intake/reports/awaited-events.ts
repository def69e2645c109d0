import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";

/** Longer than what a process knows of a project stays the same, and than a report takes to be committed. */
const REMEMBER_MS = 10_000;

/** The events of reports that this process has received a moment ago, and until when they are remembered. */
const noted = new WeakMap<Db, Map<string, number>>();

/** Notes that a report refers to an event. Call it before looking for the event, so that none is missed in between. */
export function awaitEvent(db: Db, projectId: number, eventId: string): void {
  const now = performance.now();
  let events = noted.get(db);
  if (!events) noted.set(db, (events = new Map()));
  for (const [event, until] of events) {
    if (until > now) break;
    events.delete(event);
  }
  events.set(nameOf(projectId, eventId), now + REMEMBER_MS);
}

/** Whether a report refers to the event. `known` has the ids of such events, read from the database a moment ago. */
export function isAwaited(
  db: Db,
  known: readonly string[] | null,
  projectId: number,
  eventId: string | null,
): boolean {
  if (eventId === null) return false;
  return known?.includes(eventId) === true || noted.get(db)?.has(nameOf(projectId, eventId)) === true;
}

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

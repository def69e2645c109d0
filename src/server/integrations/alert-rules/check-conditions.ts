import type { Tx } from "../../db/connect.ts";
import { holdConditions } from "../../ingest/project-rules/alert-conditions.ts";
import type { ActiveRule } from "./active-rules.ts";
import { readFacts, type CheckedEvent } from "./read-facts.ts";

/**
 * Returns those whose rule has no conditions, or whose event meets all of them. `eventOf` is undefined for what is not checked. An
 * event that is gone meets none.
 */
export async function thoseThatMeetConditions<T extends { rule: ActiveRule }>(
  tx: Tx,
  candidates: T[],
  eventOf: (candidate: T) => { group_id: number; event: CheckedEvent } | undefined,
): Promise<T[]> {
  const checked = candidates.flatMap((candidate) => {
    const event = Object.keys(candidate.rule.if).length > 0 ? eventOf(candidate) : undefined;
    return event ? [{ candidate, event }] : [];
  });
  const facts = await readFacts(
    tx,
    checked.map(({ event }) => event),
    { withFiles: checked.some(({ candidate }) => candidate.rule.if.file_pattern !== undefined) },
  );
  const failed = new Set(
    checked.flatMap(({ candidate }, n) => {
      const of = facts[n];
      return of && holdConditions(candidate.rule.if, of) ? [] : [candidate];
    }),
  );
  return candidates.filter((candidate) => !failed.has(candidate));
}

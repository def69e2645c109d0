import type { AlertConditions } from "../../../shared/alert-rules.ts";
import type { Db } from "../../db/connect.ts";
import { holdConditions } from "../../ingest/project-rules/alert-conditions.ts";
import { readFacts, type CheckedEvent } from "./read-facts.ts";

type Check = { conditions: AlertConditions; group_id: number; event: CheckedEvent };

/** Returns those without conditions, or whose event meets all of them; an event that is gone meets none. `checkOf` is undefined for what is not checked. */
export async function thoseThatMeetConditions<T>(
  db: Db,
  candidates: T[],
  checkOf: (candidate: T) => Check | undefined,
): Promise<T[]> {
  const checks = candidates.flatMap((candidate) => {
    const check = checkOf(candidate);
    return check && Object.keys(check.conditions).length > 0 ? [{ candidate, ...check }] : [];
  });
  const facts = await readFacts(
    db,
    checks.map(({ group_id, event }) => ({ group_id, event })),
    { withFiles: checks.some(({ conditions }) => conditions.file_pattern !== undefined) },
  );
  const failed = new Set(
    checks.flatMap(({ candidate, conditions }, n) => {
      const of = facts[n];
      return of && holdConditions(conditions, of) ? [] : [candidate];
    }),
  );
  return candidates.filter((candidate) => !failed.has(candidate));
}

import { sql } from "kysely";
import type { z } from "zod";
import type { KeptEvent } from "../../../../shared/kept-events.ts";
import type { PrivacyRuleTest, privacyRuleBody } from "../../../../shared/privacy-rules.ts";
import { invalid, refused } from "../../../answers/errors.ts";
import { readKeptEvent } from "../../kept-events/read-event.ts";
import { TaskThread, TaskTimeout } from "../../../ingest/patterns/task-thread.ts";
import { usableRule } from "./check-rule.ts";
import type { RuleTrial } from "./rule-trial.ts";
import type { ErrorDb } from "../../groups/error-db.ts";

/** Milliseconds of CPU time. Ordinary rules take less than a hundredth of it. */
const MAX_MS = 2_000;

/** Tries rules in a worker thread, because patterns may be slow. */
export const trialThread = () =>
  new TaskThread<RuleTrial, PrivacyRuleTest>(new URL("./rule-trial-worker.ts", import.meta.url));

type Options = { projectId: number; thread: ReturnType<typeof trialThread> };

/**
 * Shows what the rule would remove from a kept event, even if the rule is not active. 422 on `event_id` if the project has no
 * such event, and if the rule takes too long.
 */
export async function tryPrivacyRule(
  errorDb: ErrorDb,
  body: z.output<typeof privacyRuleBody>,
  eventId: number,
  { projectId, thread }: Options,
): Promise<PrivacyRuleTest> {
  const rule = usableRule(body, "rule.");
  const event = await findKeptEvent(errorDb, projectId, eventId);
  const message = () => ({ value: { rule, event } });
  return thread.run({ projectId, limitMs: MAX_MS, message }).catch((error: unknown) => {
    if (!(error instanceof TaskTimeout)) throw error;
    throw refused("The rule takes too long on this event. Simplify its patterns.");
  });
}

/** Searches each group, because kept events have no index by project. A project has few enough groups for that. */
async function findKeptEvent(errorDb: ErrorDb, projectId: number, id: number): Promise<KeptEvent> {
  const { rows } = await sql<{ group_id: number }>`
    select e.group_id from error_groups g join kept_events e on e.group_id = g.id and e.id = ${id}
    where g.project_id = ${projectId} limit 1`.execute(errorDb.db);
  const [found] = rows;
  if (!found) throw invalid({ event_id: ["is not a kept event of the project"] });
  return readKeptEvent(errorDb, found.group_id, String(id));
}

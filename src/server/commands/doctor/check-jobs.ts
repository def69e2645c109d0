import type pg from "pg";
import { readJobStates, type JobState } from "../../jobs/job-states.ts";
import { ageText } from "./age-text.ts";
import { ok, warn, type Finding } from "./finding.ts";

const WHAT = "jobs";

/** Names background jobs that fail, and those that have not succeeded for long. */
export async function checkJobs(client: pg.ClientBase): Promise<Finding[]> {
  const states = await readJobStates(client);
  if (states.length === 0) return [ok(WHAT, "none has run yet")];
  if (states.every(({ is_late, failures }) => is_late && failures === 0))
    return [
      warn(
        WHAT,
        "none has run for more than ten minutes",
        "Start the server, or a process with serve --jobs.",
      ),
    ];
  const findings = states.flatMap(checkJob);
  return findings.length > 0 ? findings : [ok(WHAT, `${states.length} run as scheduled`)];
}

function checkJob({ name, failures, last_error, success_age, is_late, is_running }: JobState): Finding[] {
  if (failures > 0)
    return [
      warn(
        WHAT,
        `${name} failed ${failures === 1 ? "once" : `${failures} times in a row`}: ${last_error}`,
        "The server's log has the details. The server retries by itself once the cause is fixed.",
      ),
    ];
  if (!is_late) return [];
  const last = success_age === null ? "has never succeeded" : `last succeeded ${ageText(success_age)} ago`;
  return [
    is_running
      ? warn(WHAT, `${name} ${last} and is still running`, "If it should be done by now, restart the server.")
      : warn(WHAT, `${name} ${last}`, "Check that all processes run this version, and restart the server."),
  ];
}

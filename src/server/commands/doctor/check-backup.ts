import type pg from "pg";
import { readLastBackup } from "../backup/history.ts";
import { ageText } from "./age-text.ts";
import { ok, warn, type Finding } from "./finding.ts";

const WHAT = "backup";
const OLD_SECONDS = 2 * 86_400;

/** Whether there is a complete backup that is at most two days old. */
export async function checkBackup(client: pg.ClientBase): Promise<Finding> {
  const last = await readLastBackup(client);
  const fix = "Set BACKUP_URL and BACKUP_SCHEDULE, see docs/running.md, or run the command backup every day.";
  if (!last) return warn(WHAT, "none has been made", fix);
  const text = `last made ${ageText(last.age_seconds)} ago${last.destination === null ? "" : ` to ${last.destination}`}`;
  if (last.age_seconds > OLD_SECONDS) return warn(WHAT, text, fix);
  if (last.missing_files > 0)
    return warn(
      WHAT,
      `${text}, without ${last.missing_files} missing or damaged files`,
      "See the line files.",
    );
  return ok(WHAT, text);
}

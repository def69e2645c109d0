import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";

/** Longer than the longest limit of a rule, and than the longest window. */
const KEPT = sql`interval '8 days'`;
const KEPT_COUNTS = sql`interval '25 hours'`;

/**
 * Deletes firings that no rule remembers any more, and old counts. A report that still waits keeps its firing, so that it fires only
 * once.
 */
export async function deleteOldFirings(db: Db): Promise<void> {
  await sql`
    delete from alert_firings f using alert_rules r
    where r.id = f.rule_id and f.fired_at < now() - ${KEPT} and not (r.kind = 'report_waiting' and exists (
      select from reports w where w.id = f.subject_id and w.promoted_at is null and w.dismissed_at is null))`.execute(
    db,
  );
  await sql`delete from alert_group_counts where span < now() - ${KEPT_COUNTS}`.execute(db);
  await sql`delete from alert_rule_counts where span < now() - ${KEPT_COUNTS}`.execute(db);
}

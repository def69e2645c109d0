import { sql } from "kysely";
import type { AlertAction, AlertConditions, AlertKind, AlertWhen } from "../../../shared/alert-rules.ts";
import type { Db } from "../../db/connect.ts";

export type ActiveRule = {
  id: number;
  project_id: number;
  name: string;
  kind: AlertKind;
  when: AlertWhen;
  if: AlertConditions;
  then: AlertAction[];
  every_minutes: number;
  is_default: boolean;
};

/** The rules of these kinds that may fire now, in the projects or in all of them, ordered by id. */
export async function readActiveRules(
  db: Db,
  kinds: readonly AlertKind[],
  projectIds?: number[],
): Promise<ActiveRule[]> {
  const inProjects = projectIds ? sql`and project_id = any(${projectIds}::bigint[])` : sql``;
  const { rows } = await sql<ActiveRule>`
    select id, project_id, name, kind, "when", "if", "then", every_minutes, is_default from alert_rules
    where active and kind = any(${kinds}::text[]) ${inProjects}
      and (muted_until is null or muted_until <= clock_timestamp())
    order by id`.execute(db);
  return rows;
}

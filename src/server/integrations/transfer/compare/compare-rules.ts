import { sql } from "kysely";
import type { Db } from "../../../db/connect.ts";
import type { ComparedRule } from "./comparison.ts";

type OwnRule = { kind: string; environment: string | null; actions: string[] };

/** The rules that have no active counterpart in the project: one of the same kind, environment and action, for each of them. */
export async function findMissingRules(
  db: Db,
  projectId: number,
  theirs: readonly ComparedRule[],
): Promise<ComparedRule[]> {
  const ours = await readOwnRules(db, projectId);
  return theirs.filter(({ kinds, environment, actions }) => {
    const hasCounterpart = (kind: string, action: string) =>
      ours.some(
        (rule) => rule.kind === kind && rule.environment === environment && rule.actions.includes(action),
      );
    return !kinds.every((kind) => actions.every((action) => hasCounterpart(kind, action)));
  });
}

async function readOwnRules(db: Db, projectId: number): Promise<OwnRule[]> {
  const { rows } = await sql<OwnRule>`
    select kind, nullif("if" ->> 'environment', '') as environment,
      array(select distinct case action ->> 'to' when 'inbox' then 'email' else action ->> 'to' end
        from jsonb_array_elements("then"::jsonb) action) as actions
    from alert_rules where project_id = ${projectId} and active`.execute(db);
  return rows;
}

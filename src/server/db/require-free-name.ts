import { sql } from "kysely";
import { invalid } from "../answers/errors.ts";
import type { Tx } from "./connect.ts";

/** A table whose names are unique within an owner, ignoring case and the normalization form of letters. */
type Scope =
  | { table: "roles" | "teams"; workspace_id: number }
  | { table: "labels" | "privacy_rules" | "issue_templates"; project_id: number };

/** Throws 422 on `name` if another row has this name. The caller holds the lock of the workspace or project. */
export async function requireFreeName(tx: Tx, scope: Scope, name: string, exceptId?: number): Promise<void> {
  const { table, ...owner } = scope;
  const [[column, id] = ["", 0]] = Object.entries(owner);
  const { rows } = await sql`
    select from ${sql.table(table)}
    where ${sql.ref(column)} = ${id} and lower(normalize(name)) = lower(normalize(${name}))
      and id is distinct from ${exceptId ?? null}
    limit 1`.execute(tx);
  if (rows.length > 0) throw invalid({ name: ["is taken"] });
}

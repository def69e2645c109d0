import { sql } from "kysely";
import { invalid } from "../answers/errors.ts";
import type { Tx } from "./connect.ts";

/** What has names that are unique where it belongs, in whatever case. */
type Place = { table: "roles" | "teams"; workspace_id: number } | { table: "labels"; project_id: number };

/** 422 on `name` when another one there has it; asked under the lock of where it belongs. */
export async function requireFreeName(tx: Tx, place: Place, name: string, butId?: number): Promise<void> {
  const { table, ...owner } = place;
  const [[column, id] = ["", 0]] = Object.entries(owner);
  const { rows } = await sql`
    select from ${sql.table(table)}
    where ${sql.ref(column)} = ${id} and lower(name) = lower(${name}) and id is distinct from ${butId ?? null}
    limit 1`.execute(tx);
  if (rows.length > 0) throw invalid({ name: ["is taken"] });
}

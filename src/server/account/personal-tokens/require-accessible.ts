import { sql } from "kysely";
import { accessibleProjects } from "../../access/access-queries.ts";
import { invalid } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";

/** 422 on the first project of a token that the user cannot access. */
export async function requireAccessible(tx: Tx, userId: number, projectIds: number[]): Promise<void> {
  if (projectIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`${accessibleProjects(userId)}`.execute(tx);
  const accessible = new Set(rows.map(({ id }) => id));
  const index = projectIds.findIndex((id) => !accessible.has(id));
  if (index >= 0) throw invalid({ [`project_ids.${index}`]: ["is not a project that you can access"] });
}

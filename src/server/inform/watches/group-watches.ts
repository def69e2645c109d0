import { sql } from "kysely";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { lockMembership, type AutoWatch } from "./watches.ts";

export type WatchedGroup = { id: number; project_id: number; workspace_id: number };

/**
 * Makes the user watch the groups if their preference says so and they may read the groups of the project. Returns the ids of the
 * groups that they did not watch before.
 */
export async function autoWatchGroups(
  tx: Tx,
  groups: WatchedGroup[],
  userId: number,
  occasion: AutoWatch,
): Promise<Set<number>> {
  const added = new Set<number>();
  const projects = Map.groupBy(groups, ({ project_id }) => project_id);
  for (const [id, watched] of [...projects].sort(([a], [b]) => a - b)) {
    const project = { id, workspace_id: (watched[0] as WatchedGroup).workspace_id };
    await lockMembership(tx, project, userId);
    const { rows } = await sql<{ group_id: number }>`
      insert into error_group_watchers (group_id, user_id)
      select group_id, u.id from users u, unnest(${watched.map((group) => group.id)}::bigint[]) as group_id
      where u.id = ${userId} and ${sql.ref(`u.${occasion}`)} and u.id in (${usersReading(project, "error_group")})
      order by group_id
      on conflict do nothing
      returning group_id`.execute(tx);
    for (const { group_id } of rows) added.add(group_id);
  }
  return added;
}

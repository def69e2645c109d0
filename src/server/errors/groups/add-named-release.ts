import { sql } from "kysely";
import type { ResolveIn } from "../../../shared/error-groups.ts";
import type { Tx } from "../../db/connect.ts";

/**
 * Creates the release that the resolution names, in the projects of the groups that do not have it. Leaves `first_seen_at` null: the
 * first event or deploy sets it. Locks a release that exists, so that it is not deleted before the transaction ends.
 */
export async function addNamedRelease(
  tx: Tx,
  groups: { project_id: number }[],
  resolveIn: ResolveIn | undefined,
): Promise<void> {
  if (groups.length === 0 || resolveIn === undefined || resolveIn === "next_release") return;
  const projectIds = [...new Set(groups.map((group) => group.project_id))];
  await sql`
    insert into releases as r (project_id, version_hash, version)
    select id, sha256(convert_to(${resolveIn.release}, 'UTF8')), ${resolveIn.release}
    from unnest(${projectIds}::bigint[]) p (id) order by id
    on conflict (project_id, version_hash) do update set version = r.version`.execute(tx);
}

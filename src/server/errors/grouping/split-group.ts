import { sql } from "kysely";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import { invalid } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announce } from "../../record/live-changes.ts";
import { missingGroup } from "../../record/merged-groups.ts";
import { readErrorGroup } from "../groups/read-group.ts";
import type { ErrorDb } from "../groups/error-db.ts";

type SplitRequest = { groupId: number; fingerprints: string[]; actorId: number };

/**
 * Splits off merged fingerprints: their future events form groups of their own again; counts so far stay. 404 if the project
 * has no such group, 422 on `fingerprints` unless all of them were merged into it.
 */
export async function splitErrorGroup(
  errorDb: ErrorDb,
  project: ProjectRef,
  { groupId, fingerprints, actorId }: SplitRequest,
): Promise<ErrorGroup> {
  return errorDb.db.transaction().execute(async (tx) => {
    const group = await lockGroup(tx, project.id, groupId);
    if (fingerprints.includes(group.fingerprint))
      throw invalid({ fingerprints: ["must not contain the group’s own first fingerprint"] });
    const { rows } = await sql<{ fingerprint: string; exception_class: string }>`
      delete from error_group_aliases
      where group_id = ${groupId} and key in (select decode(f, 'hex') from unnest(${fingerprints}::text[]) f)
      returning encode(key, 'hex') as fingerprint, exception_class`.execute(tx);
    if (rows.length < fingerprints.length)
      throw invalid({ fingerprints: ["must be fingerprints that were merged into the group"] });
    await sql`update error_groups set updated_at = clock_timestamp() where id = ${groupId}`.execute(tx);
    // Lists add recently merged groups to a ranking by their aliases, which are deleted now. So the rankings must be rebuilt.
    await sql`delete from error_group_rankings where project_id = ${project.id}`.execute(tx);
    await sql`delete from workspace_error_group_rankings where workspace_id = ${project.workspace_id}`.execute(
      tx,
    );
    await recordGroupHistory(
      tx,
      actorId,
      rows.map((from) => ({ group_id: groupId, kind: "split", from })),
    );
    await recordAudit(tx, {
      kind: "error_group.split",
      project_id: project.id,
      subject: { type: "error_group", id: groupId, name: group.exception_class },
      details: { fingerprints },
    });
    await announce(tx, [{ kind: "error_group", project_id: project.id, id: groupId }]);
    return readErrorGroup({ ...errorDb, db: tx }, project.id, groupId);
  });
}

async function lockGroup(tx: Tx, projectId: number, groupId: number) {
  const { rows } = await sql<{ fingerprint: string; exception_class: string }>`
    select encode(key, 'hex') as fingerprint, exception_class from error_groups
    where project_id = ${projectId} and id = ${groupId} for no key update`.execute(tx);
  const [group] = rows;
  if (!group) throw await missingGroup(tx, projectId, groupId);
  return group;
}

import { sql } from "kysely";
import { MAX_MOVED } from "../../../shared/merge-limits.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { HttpError, invalid } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { recordAudit } from "../../record/audit.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announce } from "../../record/live-changes.ts";
import { missingGroup } from "../../record/merged-groups.ts";
import type { ProjectRef } from "../../work/issues/references.ts";
import { readErrorGroup } from "../groups/read-group.ts";
import { indexLocationOf } from "../groups/location-index.ts";
import { indexMessageOf } from "../groups/message-index.ts";
import { indexTagsOf } from "../groups/tag-index.ts";
import { addCounts } from "./add-counts.ts";
import type { Merge } from "./merge.ts";
import { moveKeptEvents } from "./move-kept-events.ts";
import { moveWork } from "./move-work.ts";
import type { ErrorDb } from "../groups/error-db.ts";

type LockedGroup = {
  id: number;
  environment: string;
  exception_class: string;
  linked_issue_id: number | null;
  /** Microseconds. */
  last_seen: number;
};

type MergeRequest = { targetId: number; ids: number[]; actorId: number };

/**
 * Merges the groups into the target: their fingerprints become its aliases, and everything that belongs to them is moved to
 * it. Groups that were merged into the target before are ignored. 404 if the project does not have the target, 422 on
 * `error_group_ids` unless the others are groups of the same project and environment with at most MAX_MOVED rows, 409 if two
 * of the groups are linked to different issues.
 *
 * Holds the project's lock, which changes of links and issues need, and locks the groups in the same order as ingestion, so
 * that neither ingestion nor an opposite merge can deadlock with this.
 */
export async function mergeErrorGroups(
  { db, retentionDays }: ErrorDb,
  project: ProjectRef,
  { targetId, ids, actorId }: MergeRequest,
): Promise<ErrorGroup> {
  return db.transaction().execute(async (tx) => {
    // Moving many rows takes longer than other requests when the machine is busy.
    await sql`set local statement_timeout = '1min'`.execute(tx);
    await lockProject(tx, project.id);
    const groups = await lockGroups(tx, project.id, [targetId, ...ids]);
    const target = groups.find(({ id }) => id === targetId);
    if (!target) throw await missingGroup(tx, project.id, targetId);
    await requireMergeable(tx, project, { target, groups, ids });
    const sources = groups.filter(({ id }) => id !== targetId);
    if (sources.length > 0) await merge(tx, project, { target, sources, actorId, retentionDays });
    return readErrorGroup({ db: tx, retentionDays }, project.id, targetId);
  });
}

/** Locks `for update`, because the merged groups will be deleted. */
async function lockGroups(tx: Tx, projectId: number, ids: number[]): Promise<LockedGroup[]> {
  const { rows } = await sql<LockedGroup>`
    select id, environment, exception_class, linked_issue_id,
      (extract(epoch from last_seen_at) * 1000000)::bigint as last_seen
    from error_groups
    where project_id = ${projectId} and id = any(${ids}::bigint[])
    order by key for update`.execute(tx);
  return rows;
}

async function requireMergeable(
  tx: Tx,
  project: ProjectRef,
  { target, groups, ids }: { target: LockedGroup; groups: LockedGroup[]; ids: number[] },
): Promise<void> {
  if (ids.includes(target.id)) throw invalid({ error_group_ids: ["must not contain the group itself"] });
  const existingIds = new Set(groups.map(({ id }) => id));
  const missing = ids.filter((id) => !existingIds.has(id));
  const { rows: merged } = await sql<{ id: number }>`
    select id from merged_error_groups
    where merged_into = ${target.id} and id = any(${missing}::bigint[])`.execute(tx);
  if (merged.length < missing.length)
    throw invalid({ error_group_ids: ["must be error groups of the project"] });
  if (groups.some(({ environment }) => environment !== target.environment))
    throw invalid({ error_group_ids: ["must be of the same environment as the group"] });
  await requireFewRows(
    tx,
    [...existingIds].filter((id) => id !== target.id),
  );
  await requireOneIssue(tx, project, target, groups);
}

async function requireFewRows(tx: Tx, sourceIds: number[]): Promise<void> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(users + releases + hosts), 0)::bigint as total from error_group_counts
    where group_id = any(${sourceIds}::bigint[])`.execute(tx);
  if ((rows[0]?.total ?? 0) > MAX_MOVED) throw invalid({ error_group_ids: [TOO_MANY_ROWS] });
}

const TOO_MANY_ROWS = `must have at most ${MAX_MOVED.toLocaleString("en")} users, releases and hosts in total; merge into the group that has the most`;

/** The merged group keeps the target's issue, so the response names the first other one. */
async function requireOneIssue(
  tx: Tx,
  project: ProjectRef,
  target: LockedGroup,
  groups: LockedGroup[],
): Promise<void> {
  const linked = groups.filter(({ linked_issue_id }) => linked_issue_id !== null);
  const stays = target.linked_issue_id ?? linked[0]?.linked_issue_id;
  const other = linked.find(({ linked_issue_id }) => linked_issue_id !== stays);
  if (!other) return;
  const { number } = await tx
    .selectFrom("issues")
    .select("number")
    .where("id", "=", other.linked_issue_id)
    .executeTakeFirstOrThrow();
  const key = `${project.key}-${number}`;
  throw new HttpError(
    409,
    `${other.exception_class} is linked to another issue, ${key}. Unlink it before merging.`,
    {
      issue: { id: other.linked_issue_id, key },
      error_group_id: other.id,
    },
  );
}

type LockedMerge = { target: LockedGroup; sources: LockedGroup[]; actorId: number; retentionDays: number };

async function merge(
  tx: Tx,
  project: ProjectRef,
  { target, sources, actorId, retentionDays }: LockedMerge,
): Promise<void> {
  const sourceIds = sources.map(({ id }) => id);
  const latest = [target, ...sources].reduce((a, b) => (b.last_seen > a.last_seen ? b : a));
  const merged: Merge = { targetId: target.id, sourceIds, latestId: latest.id };
  await aliasFingerprints(tx, project.id, merged);
  await addCounts(tx, merged, retentionDays);
  await moveKeptEvents(tx, merged);
  await indexTagsOf(tx, [target.id]);
  await indexMessageOf(tx, target.id);
  await indexLocationOf(tx, target.id);
  await moveWork(tx, project.id, merged);
  await sql`delete from error_groups where id = any(${sourceIds}::bigint[])`.execute(tx);
  await recordGroupHistory(
    tx,
    actorId,
    sources.map(({ id, exception_class }) => ({
      group_id: target.id,
      kind: "merged",
      from: { error_group_id: id, exception_class },
    })),
  );
  await recordAudit(tx, {
    kind: "error_group.merged",
    project_id: project.id,
    subject: { type: "error_group", id: target.id, name: target.exception_class },
    details: { merged_ids: sourceIds },
  });
  await announce(
    tx,
    [target.id, ...sourceIds].map((id) => ({ kind: "error_group", project_id: project.id, id })),
  );
}

/** Also redirects groups that were merged into one of the sources before. */
async function aliasFingerprints(tx: Tx, projectId: number, { targetId, sourceIds }: Merge): Promise<void> {
  await sql`
    update error_group_aliases set group_id = ${targetId} where group_id = any(${sourceIds}::bigint[])`.execute(
    tx,
  );
  await sql`
    insert into error_group_aliases (key, group_id, exception_class, message)
    select key, ${targetId}, left(exception_class, 255), left(latest_message, 255) from error_groups
    where id = any(${sourceIds}::bigint[])`.execute(tx);
  await sql`
    update merged_error_groups set merged_into = ${targetId}
    where merged_into = any(${sourceIds}::bigint[])`.execute(tx);
  await sql`
    insert into merged_error_groups (id, project_id, merged_into)
    select id, ${projectId}, ${targetId} from unnest(${sourceIds}::bigint[]) id`.execute(tx);
}

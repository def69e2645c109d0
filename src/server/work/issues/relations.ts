import { sql } from "kysely";
import { recordHistory } from "../../record/issue-history.ts";
import type { HistoryEntry } from "../../record/issue-events.ts";
import type { Tx } from "../../db/connect.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";

/** The issues that block an issue, that it blocks, and that are related in another way. */
type Relations = { blocked_by_ids: number[]; blocks_ids: number[]; relates_to_ids: number[] };

/**
 * Replaces the lists that are given and records the change in the history of every affected issue. 422 on
 * `blocked_by_ids.N` or `blocks_ids.N` if an issue would block itself, directly or through others. The caller has checked
 * the ids and holds the project's lock, so two concurrent updates cannot create a cycle together.
 */
export async function setRelations(
  tx: Tx,
  projectId: number,
  { issueId, actorId, wanted }: { issueId: number; actorId: number; wanted: Partial<Relations> },
): Promise<void> {
  const current = (await readRelations(tx, [issueId])).get(issueId) ?? NONE;
  const blockers = difference(current.blocked_by_ids, wanted.blocked_by_ids);
  const blocked = difference(current.blocks_ids, wanted.blocks_ids);
  const related = difference(current.relates_to_ids, wanted.relates_to_ids);
  const others = [blockers, blocked, related].flatMap(({ added, removed }) => [...added, ...removed]);
  if (others.length === 0) return;
  await recordRelationChanges(tx, actorId, [issueId, ...new Set(others)], async () => {
    await sql`delete from issue_blocks
      where (blocked_id = ${issueId} and blocker_id = any(${blockers.removed}::bigint[]))
        or (blocker_id = ${issueId} and blocked_id = any(${blocked.removed}::bigint[]))`.execute(tx);
    await sql`insert into issue_blocks (project_id, blocker_id, blocked_id)
      select ${projectId}::bigint, id, ${issueId}::bigint from unnest(${blockers.added}::bigint[]) id
      union all select ${projectId}::bigint, ${issueId}::bigint, id from unnest(${blocked.added}::bigint[]) id`.execute(
      tx,
    );
    await sql`delete from issue_relations
      where (issue_id = ${issueId} and other_id = any(${related.removed}::bigint[]))
        or (other_id = ${issueId} and issue_id = any(${related.removed}::bigint[]))`.execute(tx);
    await sql`insert into issue_relations (project_id, issue_id, other_id)
      select ${projectId}::bigint, ${issueId}::bigint, id from unnest(${related.added}::bigint[]) id
      union all select ${projectId}::bigint, id, ${issueId}::bigint from unnest(${related.added}::bigint[]) id`.execute(
      tx,
    );
    await requireNoCycle(tx, issueId, wanted);
  });
}

/** Runs `work`, records how it changed these issues' relations, and sets `updated_at` of the changed issues. */
export async function recordRelationChanges(
  tx: Tx,
  actorId: number,
  issueIds: number[],
  work: () => Promise<unknown>,
): Promise<void> {
  const before = await readRelations(tx, issueIds);
  await work();
  const after = await readRelations(tx, issueIds);
  const entries: HistoryEntry[] = [];
  for (const [issue_id, was] of before) {
    const is = after.get(issue_id);
    for (const kind of ["blocked_by_ids", "blocks_ids", "relates_to_ids"] as const)
      if (is && String(was[kind]) !== String(is[kind]))
        entries.push({ issue_id, kind, from: was[kind], to: is[kind] });
  }
  const changed = [...new Set(entries.map((entry) => entry.issue_id))];
  await sql`update issues set updated_at = clock_timestamp() where id = any(${changed}::bigint[])`.execute(
    tx,
  );
  await recordHistory(tx, actorId, entries);
}

const NONE: Relations = { blocked_by_ids: [], blocks_ids: [], relates_to_ids: [] };

async function readRelations(tx: Tx, issueIds: number[]): Promise<Map<number, Relations>> {
  const { rows } = await sql<Relations & { id: number }>`
    select i.id,
      array(select blocker_id from issue_blocks where blocked_id = i.id order by 1) as blocked_by_ids,
      array(select blocked_id from issue_blocks where blocker_id = i.id order by 1) as blocks_ids,
      array(select other_id from issue_relations where issue_id = i.id order by 1) as relates_to_ids
    from issues i where i.id = any(${issueIds}::bigint[]) order by i.id`.execute(tx);
  return new Map(rows.map(({ id, ...relations }) => [id, relations]));
}

function difference(current: number[], wanted: number[] | undefined) {
  if (wanted === undefined) return { added: [], removed: [] };
  return {
    added: wanted.filter((id) => !current.includes(id)),
    removed: current.filter((id) => !wanted.includes(id)),
  };
}

/** Every new relation involves this issue, so a new cycle must contain it. */
async function requireNoCycle(tx: Tx, issueId: number, wanted: Partial<Relations>): Promise<void> {
  const field = wanted.blocked_by_ids?.length ? "blocked_by_ids" : "blocks_ids";
  const ids = wanted[field] ?? [];
  if (ids.length === 0) return;
  const [near, far] =
    field === "blocked_by_ids" ? ["blocker_id", "blocked_id"] : ["blocked_id", "blocker_id"];
  const { rows } = await sql<{ id: number }>`
    with recursive reached (id) as (
      select ${sql.ref(far)} from issue_blocks where ${sql.ref(near)} = ${issueId}
      union
      select b.${sql.ref(far)} from issue_blocks b join reached r on b.${sql.ref(near)} = r.id
    )
    select id from reached where id = any(${ids}::bigint[])`.execute(tx);
  const circular = new Set(rows.map((row) => row.id));
  const errors: FieldErrors = {};
  for (const [index, id] of ids.entries())
    if (circular.has(id))
      errors[`${field}.${index}`] = ["would create a cycle of issues that block each other"];
  if (circular.size > 0) throw invalid(errors);
}

import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../db/delete-in-batches.ts";
import type { LiveChange } from "../record/live-changes.ts";

/**
 * How far somebody has seen: a PostgreSQL snapshot, and the second it was taken. It says of every transaction whether it
 * was seen, which a number cannot: ids are given before their transactions commit, so a lower one may appear later.
 */
export type Position = { second: number; snapshot: string };

/** Whoever was away for longer is told to read everything anew. */
export const REPLAY_SECONDS = 300;

/** Changes of longer ago go; later than nobody can ask for them any more. */
const KEPT = sql`interval '10 minutes'`;

/** As the event id of a stream. */
export const writePosition = ({ second, snapshot }: Position) => `${second}.${snapshot}`;

/** undefined: it is no position of ours. */
export function readPosition(text: string): Position | undefined {
  const [, second, snapshot] =
    /^([0-9]{1,12})\.([0-9]{1,20}:[0-9]{1,20}:(?:[0-9]{1,20}(?:,[0-9]{1,20})*)?)$/.exec(text) ?? [];
  return snapshot === undefined ? undefined : { second: Number(second), snapshot };
}

export async function currentPosition(db: Db): Promise<Position> {
  const { rows } = await sql<Position>`select ${NOW}`.execute(db);
  return rows[0] as Position;
}

export type Seen = {
  position: Position;
  /** In the order of their ids; undefined when some of them may be gone: everything must be read anew. */
  changes: LiveChange[] | undefined;
};

/**
 * What has been committed since `since`: each change exactly once, whatever order transactions commit in, and without
 * waiting for those that are under way. With `until`, only what was seen there.
 */
export async function changesSince(db: Db, since: Position, until?: Position): Promise<Seen> {
  const bounded =
    until === undefined
      ? sql``
      : sql`and pg_visible_in_snapshot(transaction, ${until.snapshot}::pg_snapshot)`;
  // One statement, so that the rows are read by the very snapshot that is the new position.
  const { rows } = await sql<SeenRow>`
    select ${NOW}, floor(extract(epoch from clock_timestamp()))::bigint - ${since.second}::bigint as age,
      pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(${since.snapshot}::pg_snapshot) as is_foreign,
      (select coalesce(json_agg(json_build_array(kind, project_id, target_id, commentable_type, commentable_id, user_id)
          order by id), '[]')
        from changes
        where transaction >= pg_snapshot_xmin(${since.snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(transaction, ${since.snapshot}::pg_snapshot) ${bounded}) as changes`.execute(
    db,
  );
  const { second, snapshot, age, is_foreign, changes } = rows[0] as SeenRow;
  // A position ahead of the database is one of another: it was restored from a backup.
  const isLost = age > REPLAY_SECONDS || is_foreign;
  return { position: { second, snapshot }, changes: isLost ? undefined : changes.map(changeOf) };
}

const NOW = sql`pg_current_snapshot()::text as snapshot, floor(extract(epoch from clock_timestamp()))::bigint as second`;

type Columns = [
  kind: LiveChange["kind"],
  projectId: number | null,
  id: number,
  commentableType: "issues" | "epics" | null,
  commentableId: number | null,
  userId: number | null,
];
type SeenRow = Position & { age: number; is_foreign: boolean; changes: Columns[] };

function changeOf([kind, project_id, id, type, commentableId, user_id]: Columns): LiveChange {
  return {
    kind,
    project_id,
    id,
    ...(user_id === null ? {} : { user_id }),
    ...(type === null || commentableId === null ? {} : { commentable: { type, id: commentableId } }),
  };
}

/** Returns how many. */
export function deleteOldChanges(db: Db, signal?: AbortSignal): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from changes where id in (
            select id from changes where created_at < now() - ${KEPT} order by id limit ${BATCH_ROWS}
          )`.execute(db),
      ),
    signal,
  );
}

import { sql } from "kysely";
import type { Comment } from "../../shared/comments.ts";
import type { Db } from "../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../db/delete-in-batches.ts";
import type { LiveChange } from "../record/live-changes.ts";

/**
 * How far a client has read the changes: a PostgreSQL snapshot and the second when it was taken. A snapshot determines for every
 * transaction whether it was visible. The id of the last change would not be enough: ids are assigned before transactions commit,
 * so a lower id can become visible later.
 */
export type Position = { second: number; snapshot: string };

/** A client that was disconnected for longer must reload everything. */
export const REPLAY_SECONDS = 300;

/** Changes are deleted after this time. It exceeds `REPLAY_SECONDS`, so no client can still ask for them. */
const KEPT = sql`interval '10 minutes'`;

/** The event id of a stream. */
export const writePosition = ({ second, snapshot }: Position) => `${second}.${snapshot}`;

/** Undefined if the text is not a position. */
export function readPosition(text: string): Position | undefined {
  const [, second, snapshot] =
    /^([0-9]{1,12})\.([0-9]{1,20}:[0-9]{1,20}:(?:[0-9]{1,20}(?:,[0-9]{1,20})*)?)$/.exec(text) ?? [];
  return snapshot === undefined ? undefined : { second: Number(second), snapshot };
}

export async function currentPosition(db: Db): Promise<Position> {
  const { rows } = await sql<Position>`select ${NOW}`.execute(db);
  return rows[0] as Position;
}

export type ChangesSince = {
  position: Position;
  /** In the order of their ids. Undefined if some may have been deleted: the client must reload everything. */
  changes: LiveChange[] | undefined;
};

/**
 * The changes committed after `since`: each exactly once, in whatever order transactions commit, and without waiting for
 * open transactions. With `until`, only changes that were visible at that position.
 */
export async function changesSince(db: Db, since: Position, until?: Position): Promise<ChangesSince> {
  const bounded =
    until === undefined
      ? sql``
      : sql`and pg_visible_in_snapshot(transaction, ${until.snapshot}::pg_snapshot)`;
  // One statement, so that the rows are read with the snapshot that becomes the new position.
  const { rows } = await sql<PositionRow>`
    select ${NOW}, floor(extract(epoch from clock_timestamp()))::bigint - ${since.second}::bigint as age,
      pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(${since.snapshot}::pg_snapshot) as is_foreign,
      (select ${LISTED}
        from changes
        where transaction >= pg_snapshot_xmin(${since.snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(transaction, ${since.snapshot}::pg_snapshot) ${bounded}) as changes`.execute(
    db,
  );
  const { second, snapshot, age, is_foreign, changes } = rows[0] as PositionRow;
  // A position ahead of the database's is from before the database was restored from a backup. A time ahead of the database's
  // is from before its clock was set back, so it does not show how much has been deleted since.
  const isLost = age < 0 || age > REPLAY_SECONDS || is_foreign;
  return { position: { second, snapshot }, changes: isLost ? undefined : changes.map(changeOf) };
}

/**
 * The changes of the last seconds that are visible at the position. A page that loaded its data in that time may have
 * missed them. Undefined if there are more than `most`.
 */
export async function changesOfLast(
  db: Db,
  seconds: number,
  until: Position,
  most: number,
): Promise<LiveChange[] | undefined> {
  // Ids are almost in the order of time, so their index keeps this cheap however many changes there are.
  const { rows } = await sql<{ changes: ChangeColumns[] }>`
    select ${LISTED} as changes
    from (select * from changes order by id desc limit ${most + 1}) latest
    where created_at > clock_timestamp() - make_interval(secs => ${seconds})
      and pg_visible_in_snapshot(transaction, ${until.snapshot}::pg_snapshot)`.execute(db);
  const changes = rows[0]?.changes ?? [];
  return changes.length > most ? undefined : changes.map(changeOf);
}

const LISTED = sql`coalesce(json_agg(json_build_array(kind, project_id, target_id, commentable_type, commentable_id, user_id)
  order by id), '[]')`;

const NOW = sql`pg_current_snapshot()::text as snapshot, floor(extract(epoch from clock_timestamp()))::bigint as second`;

type ChangeColumns = [
  kind: LiveChange["kind"],
  projectId: number | null,
  id: number,
  commentableType: Comment["commentable_type"] | null,
  commentableId: number | null,
  userId: number | null,
];
type PositionRow = Position & { age: number; is_foreign: boolean; changes: ChangeColumns[] };

function changeOf([kind, project_id, id, type, commentableId, user_id]: ChangeColumns): LiveChange {
  return {
    kind,
    project_id,
    id,
    ...(user_id === null ? {} : { user_id }),
    ...(type === null || commentableId === null ? {} : { commentable: { type, id: commentableId } }),
  };
}

/** Deletes old changes and returns how many. */
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

import type pg from "pg";
import { BATCH_ROWS } from "../../db/delete-in-batches.ts";
import { COUNT_ROWS, FIRST_STEP, STEPS } from "./steps.ts";

type State = {
  id: number;
  kind: "project" | "workspace";
  target_id: number;
  project_id: number | null;
  step: string | null;
  last_id: number;
  rows_total: number | null;
};

/**
 * Deletes the rows of all hidden projects and workspaces, batch by batch, until none is left or the signal is aborted.
 * Several processes can call this: each locks the deletion that it works on, and skips those that others have locked.
 */
export async function deleteHiddenRows(pool: pg.Pool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteNextBatch(pool)));
}

/**
 * Deletes one batch and records the progress in the same transaction, so that another process can continue after a crash
 * at any point. False if there is nothing to do, or other processes are doing it.
 */
export async function deleteNextBatch(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    // Counting rows and the last cascade read large tables.
    await client.query("set local statement_timeout = '10min'");
    const { rows } = await client.query<State>(LOCK_NEXT);
    const [state] = rows;
    if (state) await advance(client, state);
    await client.query("commit");
    client.release();
    return state !== undefined;
  } catch (error) {
    // Closing the connection rolls the transaction back, even if the connection no longer works.
    client.release(true);
    throw error;
  }
}

const LOCK_NEXT = `
select id, kind, target_id, project_id, step, last_id, rows_total from deletions
where finished_at is null and (restorable_until is null or restorable_until <= clock_timestamp())
order by id limit 1 for update skip locked`;

async function advance(client: pg.ClientBase, state: State): Promise<void> {
  if (state.rows_total === null) return countRows(client, state);
  if (state.project_id === null) return startNextProject(client, state);
  if (state.step === null) return deleteProjectRow(client, state);
  // Another version, with a step that this one does not have, has started the deletion.
  const step = STEPS.find(({ name }) => name === state.step) ?? FIRST_STEP;
  const { rows } = await client.query<{ deleted: number; last_id: number | null }>(step.batch, [
    state.project_id,
    state.last_id,
  ]);
  const [{ deleted, last_id } = { deleted: 0, last_id: null }] = rows;
  if (last_id !== null)
    await client.query("update deletions set last_id = $2, rows_deleted = rows_deleted + $3 where id = $1", [
      state.id,
      last_id,
      deleted,
    ]);
  else
    await client.query("update deletions set step = $2, last_id = 0 where id = $1", [
      state.id,
      STEPS[STEPS.indexOf(step) + 1]?.name,
    ]);
}

async function countRows(client: pg.ClientBase, { id, kind, target_id }: State): Promise<void> {
  const projects = kind === "project" ? [target_id] : await projectsOf(client, target_id);
  const { rows } = await client.query<{ total: number }>(COUNT_ROWS, [projects]);
  await client.query("update deletions set rows_total = $2 where id = $1", [id, rows[0]?.total ?? 0]);
  await client.query("delete from deleted_access where deletion_id = $1", [id]);
}

async function startNextProject(client: pg.ClientBase, state: State): Promise<void> {
  const { id, kind, target_id } = state;
  const next = kind === "project" ? target_id : (await projectsOf(client, target_id))[0];
  if (next === undefined) return deleteWorkspaceRow(client, state);
  await client.query("update deletions set project_id = $2, step = $3, last_id = 0 where id = $1", [
    id,
    next,
    FIRST_STEP.name,
  ]);
}

async function deleteProjectRow(client: pg.ClientBase, { id, kind, project_id }: State): Promise<void> {
  await client.query("delete from projects where id = $1 and deleted_at is not null", [project_id]);
  if (kind === "project") await finish(client, id);
  else await client.query("update deletions set project_id = null where id = $1", [id]);
}

/** The workspace's emails have no foreign key. */
async function deleteWorkspaceRow(client: pg.ClientBase, { id, target_id }: State): Promise<void> {
  const { rowCount } = await client.query(
    "delete from mails where id in (select id from mails where workspace_id = $1 order by id limit $2)",
    [target_id, BATCH_ROWS],
  );
  if ((rowCount ?? 0) > 0) return;
  await client.query("delete from workspaces where id = $1 and deleted_at is not null", [target_id]);
  await finish(client, id);
}

/** Finished deletions stay in the list for a month. */
async function finish(client: pg.ClientBase, id: number): Promise<void> {
  await client.query("update deletions set finished_at = clock_timestamp() where id = $1", [id]);
  await client.query("delete from deletions where finished_at < clock_timestamp() - interval '30 days'");
}

async function projectsOf(client: pg.ClientBase, workspaceId: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    "select id from projects where workspace_id = $1 and deleted_at is not null order by id",
    [workspaceId],
  );
  return rows.map((row) => row.id);
}

import { sql, type RawBuilder } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";
import { announce } from "../../record/live-changes.ts";

/**
 * Reading and deleting entries of one's own inbox. Rows are locked in the order of their ids, so that two of these at
 * Reading and deleting entries of one's own inbox. Rows are locked in the order of their ids, so that two of these at
 * once wait for each other instead of failing. Other windows of the same person hear of it by one change, the newest
 * entry's, however many entries changed.
 */

/** An entry that is read already keeps the moment it was read at. */
export async function markRead(db: Db, userId: number, ids: number[]): Promise<void> {
  await changeOwn(
    db,
    userId,
    ids,
    (own) => sql`
    update notifications n set read_at = clock_timestamp() from ${own} where n.id = own.id and n.read_at is null`,
  );
}

export async function markUnread(db: Db, userId: number, ids: number[]): Promise<void> {
  await changeOwn(
    db,
    userId,
    ids,
    (own) => sql`
    update notifications n set read_at = null from ${own} where n.id = own.id and n.read_at is not null`,
  );
}

export async function deleteNotifications(db: Db, userId: number, ids: number[]): Promise<void> {
  await changeOwn(
    db,
    userId,
    ids,
    (own) => sql`delete from notifications n using ${own} where n.id = own.id`,
  );
}

/** Entries that arrive meanwhile stay unread. */
export async function markAllRead(db: Db, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ newest: number | null }>`
      with own as (
        select id from notifications where user_id = ${userId} and read_at is null order by id for no key update
      ), changed as (
        update notifications n set read_at = clock_timestamp() from own where n.id = own.id and n.read_at is null
        returning n.id
      )
      select max(id) as newest from changed`.execute(tx);
    await hear(tx, userId, rows[0]?.newest);
  });
}

/** One statement for all ids. 422 on `notification_ids.N` for each that is not the user's; then nothing changes. */
async function changeOwn(
  db: Db,
  userId: number,
  ids: number[],
  change: (own: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      with own as (
        select id from notifications where user_id = ${userId} and id = any(${ids}::bigint[]) order by id for update
      ), changed as (${change(sql`own`)})
      select id from own order by id`.execute(tx);
    const own = new Set(rows.map((row) => row.id));
    const errors: FieldErrors = {};
    for (const [index, id] of ids.entries())
      if (!own.has(id)) errors[`notification_ids.${index}`] = ["is not a notification of yours"];
    // Undoes what was changed.
    if (Object.keys(errors).length > 0) throw invalid(errors);
    await hear(tx, userId, rows.at(-1)?.id);
  });
}

async function hear(tx: Tx, userId: number, newest: number | null | undefined): Promise<void> {
  if (newest) await announce(tx, [{ kind: "notification", project_id: null, id: newest, user_id: userId }]);
}

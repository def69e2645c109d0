import { sql, type RawBuilder } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";
import { NOT_SNOOZED } from "./list-notifications.ts";
import { announce } from "../../record/live-changes.ts";

/** Entries that are already read keep their `read_at`. Reading an entry ends its snooze. */
export async function markRead(db: Db, userId: number, ids: number[]): Promise<void> {
  await changeOwn(
    db,
    userId,
    ids,
    (own) => sql`
    update notifications n set read_at = clock_timestamp(), snoozed_until = null
    from ${own} where n.id = own.id and n.read_at is null`,
  );
}

/** Hides entries until then; they return unread. Null ends the snooze. */
export async function snoozeNotifications(
  db: Db,
  userId: number,
  ids: number[],
  until: string | null,
): Promise<void> {
  await changeOwn(
    db,
    userId,
    ids,
    (own) => sql`
    update notifications n set snoozed_until = ${until}::timestamptz, read_at = null from ${own}
    where n.id = own.id and (n.snoozed_until is distinct from ${until}::timestamptz or n.read_at is not null)
      and (${until}::timestamptz is not null or n.snoozed_until is not null)`,
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

/** Entries that are snoozed or created concurrently stay unread. */
export async function markAllRead(db: Db, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ newest: number | null }>`
      with own as (
        select id from notifications n where user_id = ${userId} and read_at is null and ${NOT_SNOOZED}
        order by id for no key update
      ), changed as (
        update notifications n set read_at = clock_timestamp(), snoozed_until = null from own where n.id = own.id and n.read_at is null
        returning n.id
      )
      select max(id) as newest from changed`.execute(tx);
    await announceNewest(tx, userId, rows[0]?.newest);
  });
}

/**
 * Applies the change to all ids in one statement. 422 on `notification_ids.N` for each id that is not the user's; then
 * nothing changes. Rows are locked in the order of their ids, so that concurrent changes cannot deadlock.
 */
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
      if (!own.has(id)) errors[`notification_ids.${index}`] = ["is not one of your notifications"];
    // Throwing rolls the change back.
    if (Object.keys(errors).length > 0) throw invalid(errors);
    await announceNewest(tx, userId, rows.at(-1)?.id);
  });
}

/** Announces only one entry, however many have changed: that suffices to make the user's other windows reload the inbox. */
async function announceNewest(tx: Tx, userId: number, newest: number | null | undefined): Promise<void> {
  if (newest) await announce(tx, [{ kind: "notification", project_id: null, id: newest, user_id: userId }]);
}

import type pg from "pg";
import type { Query } from "../../db/query-keeping-connection.ts";
import { EventBatch, type Arrival } from "./event-batch.ts";
import { freeBuffer } from "./free-buffer.ts";
import { KnownAliases } from "./known-aliases.ts";
import { KnownGroups } from "./known-groups.ts";
import { storeOneEvent } from "./store-one-event.ts";
import { storeEventsStatement, UNEXPECTED_CHANGES } from "./store-events-sql.ts";

/**
 * A group to which a batch added events, how many it added, how many of them are kept in full, and whether the batch
 * created the group or opened it again after a resolution. `bytes` is an estimate of its growth.
 */
export type StoredGroup = {
  id: number;
  project_id: number;
  stored: number;
  kept: number;
  is_new: boolean;
  is_regressed: boolean;
  bytes: number;
  /** The sender of its first event in the batch. */
  client: string | undefined;
};

/**
 * Stores and counts a batch of events in one statement, and therefore in one transaction. Fails as a whole if one of the
 * projects has been deleted, and with STALE_ALIAS if `aliases` is out of date. `known` only saves work: without it, events
 * are sent that are not kept.
 */
export async function storeEvents(
  query: Query,
  retentionDays: number,
  arrivals: Arrival[],
  known = new KnownGroups(),
  aliases = new KnownAliases(),
): Promise<StoredGroup[]> {
  known.addArrivals(arrivals.length);
  if (arrivals.length === 1) {
    const counted = await storeOneEvent(query, retentionDays, arrivals[0] as Arrival, known, aliases);
    if (counted) return [{ ...counted, stored: 1, is_new: false, is_regressed: false, client: undefined }];
  }
  const batch = batchOf(arrivals, known, aliases);
  const rows = await storeKnown(query, retentionDays, batch);
  return remember(rows, batch, known);
}

/**
 * Most batches only count events of open groups, for which a smaller statement is enough. If a group is not as this process
 * remembers it, for example because it was deleted and begins anew, nothing is stored, and what is known is forgotten.
 */
async function storeKnown(query: Query, retentionDays: number, batch: EventBatch): Promise<Row[]> {
  try {
    return await storeAndFree(query, retentionDays, {
      ...batch.toStore(),
      changes: !batch.areGroupsOrdinary(),
    });
  } catch (error) {
    if ((error as { code?: string }).code !== UNEXPECTED_CHANGES) throw error;
    batch.forgetGroups();
    return await storeAndFree(query, retentionDays, { ...batch.toStore(), changes: true });
  }
}

/** The lock on the group is held until the commit, so no other event can replace this one before. */
const KEEP = "update error_group_details set has_feedback = true where group_id = $1";

/** The same, waiting at most `lockMs` for each lock. Keeps an event to which a report refers, which must be the only one. */
export async function storeEventsWithin(
  lockMs: number,
  pool: pg.Pool,
  retentionDays: number,
  arrivals: Arrival[],
  known: KnownGroups,
  aliases: KnownAliases,
): Promise<StoredGroup[]> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(`begin; set local lock_timeout = ${lockMs}`);
    known.addArrivals(arrivals.length);
    // Nothing is left out, because it would take a second transaction to send it.
    const batch = batchOf(arrivals, new KnownGroups(), aliases);
    const rows = await storeAndFree((statement) => client.query(statement), retentionDays, {
      ...batch.toStore(),
      changes: true,
    });
    if (arrivals[0]?.isAwaited) await client.query(KEEP, [rows[0]?.id]);
    await client.query("commit");
    return remember(rows, batch, known);
  } catch (error) {
    await client.query("rollback").catch((second: Error) => (failure = second));
    throw error;
  } finally {
    client.release(failure);
  }
}

function batchOf(arrivals: Arrival[], known: KnownGroups, aliases: KnownAliases): EventBatch {
  const batch = new EventBatch(known, aliases);
  for (const arrival of arrivals) batch.add(arrival);
  return batch;
}

type Row = Omit<StoredGroup, "bytes" | "client"> & {
  n: number;
  is_past_first: boolean;
  is_ordinary: boolean;
  replaced: number | null;
};

async function storeAndFree(
  query: Query,
  retentionDays: number,
  { columns, ...contents }: ReturnType<EventBatch["toStore"]> & { changes: boolean },
): Promise<Row[]> {
  const { name, text, valuesOf } = storeEventsStatement(contents);
  const { rows } = await query({ name, text, values: valuesOf(retentionDays, columns) });
  // PostgreSQL has read them. After a failure they may still be being sent.
  for (const table of Object.values(columns)) for (const column of Object.values(table)) freeBuffer(column);
  return rows as Row[];
}

/** After the commit: what is known of groups must not be ahead of the database. */
const remember = (rows: Row[], batch: EventBatch, known: KnownGroups): StoredGroup[] =>
  rows.map(({ n, is_past_first, is_ordinary, replaced, ...group }) => {
    known.add(batch.identityOf(n), { is_past_first, is_ordinary });
    const { is_new: isNew, kept } = group;
    return {
      ...group,
      bytes: batch.bytesOf(n, known.bytes, { isNew, kept, replaced }),
      client: batch.clientOf(n),
    };
  });

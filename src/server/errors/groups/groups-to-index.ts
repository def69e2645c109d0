import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";

/** Groups that one statement reads. */
const BATCH = 500;

/** The maximum delay between an event's time and its commit. Storing a batch takes a few seconds at most. */
const COMMIT = sql`interval '1 minute'`;

/**
 * Events after this time may be missing from the index whose progress is in this table; `-infinity` until the index has been
 * built. After the clock was set back, it is that much earlier.
 */
export const indexedSince = (progress: string): RawBuilder<string> => sql`coalesce(
  (select least(indexed_until, now()) - ${COMMIT} from ${sql.table(progress)}), '-infinity')`;

/** The condition on a project's groups `g` that were seen after the time. */
export const seenAfter = (time: RawBuilder<string>) => sql`
  g.last_seen_span >= date_bin('10 minutes', greatest(${time}, 'epoch'), 'epoch') and g.last_seen_at > ${time}`;

/** A run of a job that updates an index: it reads events between these times. `minute` counts from 1970. */
type Run = { since: string; until: string; minute: number };

/**
 * Calls `indexBatch` with the ids of all groups that were seen since the last run, in batches, and then records the progress.
 * `indexBatch` returns how many groups it skipped because they are being merged or deleted. If there were any, the next run
 * reads the same groups again.
 */
export async function indexSeenGroups(
  db: Db,
  progress: string,
  signal: AbortSignal | undefined,
  indexBatch: (ids: number[], run: Run) => Promise<number>,
): Promise<void> {
  const { rows } = await sql<Run>`
    select ${indexedSince(progress)}::text as since, now::text as until, floor(extract(epoch from now) / 60)::int as minute
    from (select clock_timestamp() as now) clock`.execute(db);
  const [run] = rows;
  if (!run) return;
  let skipped = 0;
  for await (const ids of groupsSeenAfter(db, run.since)) {
    signal?.throwIfAborted();
    skipped += await indexBatch(ids, run);
  }
  if (skipped > 0) return;
  await sql`
    insert into ${sql.table(progress)} (indexed_until) values (${run.until}::timestamptz)
    on conflict (is_only) do update set indexed_until = excluded.indexed_until`.execute(db);
}

/** The ids of all groups that were seen after the time, in batches. */
async function* groupsSeenAfter(db: Db, since: string): AsyncGenerator<number[]> {
  if (since === "-infinity") return yield* allGroups(db);
  const { rows } = await sql<{ id: number }>`
    select seen.id from projects p
    cross join lateral (
      select g.id from error_groups g where g.project_id = p.id and ${seenAfter(sql`${since}::timestamptz`)}) seen
    where p.deleted_at is null order by seen.id`.execute(db);
  const ids = rows.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += BATCH) yield ids.slice(at, at + BATCH);
}

/** Reads page by page, because a million groups would exceed the statement timeout. */
async function* allGroups(db: Db): AsyncGenerator<number[]> {
  for (let last = 0; ;) {
    const page = db.selectFrom("error_groups").select("id").where("id", ">", last).orderBy("id").limit(BATCH);
    const ids = (await page.execute()).map(({ id }) => id);
    yield ids;
    if (ids.length < BATCH) return;
    last = ids.at(-1) ?? 0;
  }
}

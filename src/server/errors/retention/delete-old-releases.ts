import type pg from "pg";

/** The newest releases of a project that are kept regardless of their age. */
const MIN_KEPT_RELEASES = 100;

/** Releases per transaction. */
const BATCH = 500;

type Candidate = { id: number; events: number };

/**
 * Deletes releases that are older than the retention window, that no error group mentions, and that have neither source maps nor
 * sessions, and returns how many. Keeps the newest releases of each project. A later event of a deleted release creates it again. Storing events waits for at most one
 * batch, and a release whose events are counted in the meantime stays.
 */
export async function deleteOldReleases(
  pool: pg.Pool,
  retentionDays: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { rows } = await pool.query<Candidate>(FIND, [retentionDays, MIN_KEPT_RELEASES]);
  let deleted = 0;
  for (let from = 0; from < rows.length; from += BATCH) {
    signal?.throwIfAborted();
    deleted += await deleteUnchanged(pool, retentionDays, rows.slice(from, from + BATCH));
  }
  return deleted;
}

/** Two statements, so that the second one sees what was committed before the first one got its locks. */
async function deleteUnchanged(pool: pg.Pool, retentionDays: number, some: Candidate[]): Promise<number> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("begin");
    const locked = await client.query<{ id: number }>(LOCK, [some.map(({ id }) => id)]);
    const events = new Map(some.map((one) => [one.id, one.events]));
    const ids = locked.rows.map(({ id }) => id);
    const { rowCount } = await client.query(DELETE, [retentionDays, ids, ids.map((id) => events.get(id))]);
    await client.query("commit");
    return rowCount ?? 0;
  } catch (error) {
    await client.query("rollback").catch((second: Error) => (failure = second));
    throw error;
  } finally {
    client.release(failure);
  }
}

/** A group mentions the releases of its events, those of its resolution and regression, and those that count it. */
const FIND = `
with old as materialized (
  select r.id, r.project_id, r.version, r.version_hash from (
    select *, row_number() over (partition by project_id order by first_seen_at desc nulls last, id desc) as place
    from releases
  ) r
  where r.place > $2 and coalesce(r.first_seen_at, r.created_at) <= now() - make_interval(days => $1::int)
    and not exists (select from release_deploys d
      where d.release_id = r.id and d.deployed_at > now() - make_interval(days => $1::int))
    and not exists (select from release_groups g where g.release_id = r.id)
    and not exists (select from artifacts a where a.release_id = r.id)
    and not exists (select from release_sessions s where s.release_id = r.id)
)
select o.id, (select coalesce(sum(c.events), 0)::bigint from release_counts c where c.release_id = o.id) as events
from old o
where not exists (
    select from error_group_releases c join error_groups g on g.id = c.group_id
    where g.project_id = o.project_id and c.release_hash = o.version_hash)
  and not exists (
    select from error_groups g cross join lateral unnest(array[g.release, g.last_release, g.resolved_release,
      g.resolved_in_release, g.resolved_after_release, g.regressed_release]) mentioned (version)
    where g.project_id = o.project_id and mentioned.version = o.version)
  and o.id not in (
    select latest.id from (select distinct project_id from old) p cross join latest_release(p.project_id) latest)
order by o.id`;

const LOCK = "select id from releases where id = any($1::bigint[]) order by id for update skip locked";

/** Skips locked rows of counts: they are being changed, and their release stays. */
const DELETE = `
with counted as materialized (
  select release_id, events from release_counts where release_id = any($2::bigint[]) for update skip locked
)
delete from releases r using unnest($2::bigint[], $3::bigint[]) as one (id, events)
where r.id = one.id
  and one.events = (select coalesce(sum(c.events), 0) from counted c where c.release_id = r.id)
  and not exists (select from release_groups g where g.release_id = r.id)
  and not exists (select from artifacts a where a.release_id = r.id)
  and not exists (select from release_sessions s where s.release_id = r.id)
  and not exists (select from release_deploys d
    where d.release_id = r.id and d.deployed_at > now() - make_interval(days => $1::int))`;

import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { notifyVerified } from "../../inform/notify/lifecycle-notifications.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";

/** How long a release with the fix has to run without the error. */
const HOURS = 48;

/** Groups per transaction. */
const BATCH = 100;

/**
 * Sets `verified_at` of resolved groups whose fix has been running for 48 hours. A fix is running once the named release, or
 * a release newer than the latest one at the time of the resolution, has been seen; time before the resolution does not
 * count. A project is due when 48 hours have passed since a resolution or a new release; `fix_verifications` stores the time
 * up to which it was checked. Any number of processes may call this: each group is verified once. Locked groups are left for
 * the next run.
 */
export async function verifyFixes(db: Db, signal?: AbortSignal): Promise<void> {
  for (const due of await dueProjects(db)) await verifyFixesOf(db, due, signal);
}

/**
 * Makes the job check all groups of the project again, if a release was first seen at a time that the job may already have
 * checked.
 */
export async function verifyFixesAgain(tx: Tx, projectId: number, firstSeenAt: string): Promise<void> {
  await sql`
    insert into fix_verifications (project_id, checked_until, changed_at)
    select ${projectId}, '-infinity', clock_timestamp()
    where ${firstSeenAt}::timestamptz < now() - make_interval(hours => ${HOURS - 1})
    on conflict (project_id) do update set checked_until = excluded.checked_until, changed_at = excluded.changed_at`.execute(
    tx,
  );
}

/** Makes the job check all groups again in the projects of those that an undo resolved at a time that the job has checked. */
export async function verifyAfterUndo(tx: Tx, groupIds: number[]): Promise<void> {
  await sql`
    insert into fix_verifications (project_id, checked_until, changed_at)
    select distinct g.project_id, '-infinity'::timestamptz, clock_timestamp() from error_groups g
    where g.id = any(${groupIds}::bigint[]) and ${IS_UNVERIFIED}
      and g.resolved_at < now() - make_interval(hours => ${HOURS - 1})
    order by g.project_id
    on conflict (project_id) do update set checked_until = excluded.checked_until, changed_at = excluded.changed_at`.execute(
    tx,
  );
}

const IS_UNVERIFIED = sql`g.status = 1 and g.verified_at is null`;

/** A project with groups that may be verified: those that were resolved after `since` and up to `until`. */
type Due = { id: number; since: string; until: string; changed_at: string | null };

async function dueProjects(db: Db): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select p.id, case when release.is_due then '-infinity' else checked.since end::text as since, clock.until::text, v.changed_at::text
    from (select now() - make_interval(hours => ${HOURS}) as until) clock
    cross join projects p
    left join fix_verifications v on v.project_id = p.id
    -- After the clock was set back, everything is checked again.
    cross join lateral (
      select case when v.checked_until <= clock.until then v.checked_until else '-infinity' end as since
    ) checked
    cross join lateral (
      select exists (
        select from releases r
        where r.project_id = p.id and r.first_seen_at > checked.since and r.first_seen_at <= clock.until) as is_due
    ) release
    where p.deleted_at is null and exists (
      select from error_groups g
      where g.project_id = p.id and ${IS_UNVERIFIED} and g.resolved_at <= clock.until
        and (release.is_due or g.resolved_at > checked.since))
    order by p.id`.execute(db);
  return rows;
}

type Resolved = { id: number; resolved_at: string };

async function verifyFixesOf(db: Db, due: Due, signal: AbortSignal | undefined): Promise<void> {
  let last: Resolved | undefined = { id: 0, resolved_at: due.since };
  let skipped = 0;
  while (last !== undefined) {
    signal?.throwIfAborted();
    const groups = await nextGroups(db, due, last);
    skipped += await db.transaction().execute((tx) => verifyBatch(tx, groups));
    last = groups.length === BATCH ? groups.at(-1) : undefined;
  }
  if (skipped > 0) return;
  // Leaves the project due if a release has changed since it was read.
  await sql`
    insert into fix_verifications as v (project_id, checked_until) values (${due.id}, ${due.until}::timestamptz)
    on conflict (project_id) do update set checked_until = excluded.checked_until
    where v.changed_at is not distinct from ${due.changed_at}::timestamptz`.execute(db);
}

async function nextGroups(db: Db, { id, until }: Due, last: Resolved): Promise<Resolved[]> {
  const { rows } = await sql<Resolved>`
    select g.id, g.resolved_at::text from error_groups g
    where g.project_id = ${id} and ${IS_UNVERIFIED} and g.resolved_at <= ${until}::timestamptz
      and (g.resolved_at, g.id) > (${last.resolved_at}::timestamptz, ${last.id}::bigint)
    order by g.resolved_at, g.id limit ${BATCH}`.execute(db);
  return rows;
}

type Verified = {
  id: number;
  resolved_by_id: number | null;
  project_id: number;
  version: string;
};

/** Returns how many groups were due but locked. */
async function verifyBatch(tx: Tx, groups: Resolved[]): Promise<number> {
  const ids = sql`${groups.map(({ id }) => id)}::bigint[]`;
  const { rows: fixed } = await sql<Verified & { is_locked: boolean }>`
    with fixed as materialized (
      select g.id, newer.version
      from error_groups g
      join projects p on p.id = g.project_id and p.deleted_at is null
      cross join lateral (
        select release_sort_key(coalesce(g.resolved_in_release, g.resolved_after_release)) as sort_key,
          coalesce((
            select b.first_seen_at from releases b where b.project_id = g.project_id and b.version_hash =
              sha256(convert_to(coalesce(g.resolved_in_release, g.resolved_after_release), 'UTF8'))
          ), case when g.resolved_in_release is null then g.resolved_at end) as seen_at offset 0
      ) base
      cross join lateral (
        select r.version from releases r
        where r.project_id = g.project_id and r.first_seen_at <= now() - make_interval(hours => ${HOURS})
          and case
            when r.version = g.resolved_in_release then true
            when r.sort_key is not null and base.sort_key is not null and r.sort_key <> base.sort_key
              then r.sort_key > base.sort_key
            else r.first_seen_at > base.seen_at end
        order by r.first_seen_at limit 1
      ) newer
      where g.id = any(${ids}) and ${IS_UNVERIFIED}
    ),
    free as materialized (
      select g.id from error_groups g
      where g.id = any(array(select id from fixed)) and ${IS_UNVERIFIED}
        and g.resolved_at <= now() - make_interval(hours => ${HOURS})
      order by g.key for no key update skip locked
    ),
    verified as (
      update error_groups g set verified_at = clock_timestamp(), updated_at = clock_timestamp()
      from free where g.id = free.id
      returning g.id, g.resolved_by_id, g.project_id
    )
    select f.id, f.version, v.resolved_by_id, v.project_id, v.id is null as is_locked
    from fixed f left join verified v using (id)`.execute(tx);
  const rows = fixed.filter(({ is_locked }) => !is_locked);
  await recordGroupHistory(
    tx,
    null,
    rows.map(({ id, version }) => ({ group_id: id, kind: "verified", to: version })),
  );
  await notifyVerified(tx, rows);
  await announceErrorGroups(tx, rows);
  return fixed.length - rows.length;
}

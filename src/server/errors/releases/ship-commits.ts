import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";
import { announceDevelopment } from "../../work/issues/announce-development.ts";
import { verifyFixesAgain } from "../groups/verify-fixes.ts";

/** The shortest abbreviation of a commit's hash. */
const MIN_HASH_LENGTH = 7;

/** What a deploy ships, and the error groups whose resolution it completes. */
export type Shipment = { changeIds: number[]; groupIds: number[] };

/**
 * Finds the commits that a deploy of this one ships and that no earlier deploy has: itself, and those before it on the default branch
 * of its repository; also the requests that were merged with them. Locks the error groups that wait for the next release and
 * are linked to them, unless a further commit that closes the group is not among them. The caller holds the project's lock, and
 * none of a release: ingestion locks releases after error groups.
 */
export async function findShipment(tx: Tx, projectId: number, commit: string): Promise<Shipment> {
  const hash = commit.toLowerCase();
  if (hash.length < MIN_HASH_LENGTH || !/^[0-9a-f]+$/.test(hash)) return { changeIds: [], groupIds: [] };
  const { rows: changes } = await sql<{ id: number }>`
    with deployed as (
      select * from git_changes
      where project_id = ${projectId} and kind = 'commit' and head_hash >= ${hash} and head_hash < ${`${hash}g`}
    ),
    commits as materialized (
      select c.id, c.repository, c.host, c.ref from deployed d
      join git_changes c on c.project_id = ${projectId} and c.repository = d.repository and c.host = d.host and c.kind = 'commit'
        and (c.id = d.id or c.position <= d.position)
      where c.release is null
    )
    select id from commits
    union
    select r.id from commits c join git_changes r on r.project_id = ${projectId} and r.merge_hash = c.ref
      and r.repository = c.repository and r.host = c.host
    where r.kind = 'request' and r.release is null`.execute(tx);
  const changeIds = changes.map(({ id }) => id);
  const ids = sql`${changeIds}::bigint[]`;
  const { rows: groups } = await sql<{ id: number }>`
    select g.id from error_groups g
    where g.project_id = ${projectId} and g.status = 1 and g.resolved_in = 'next_release' and (
        g.id in (select l.group_id from git_links l where l.change_id = any(${ids}))
        or g.resolved_by_issue_id in (select l.issue_id from git_links l where l.change_id = any(${ids})))
      and not exists (
        select from git_links l join git_changes c on c.id = l.change_id
        where (l.group_id = g.id or l.issue_id = g.resolved_by_issue_id) and l.closes and c.release is null
          and (c.position is not null or c.state = 'merged') and c.id <> all(${ids}))
    order by g.key for no key update`.execute(tx);
  return { changeIds, groupIds: groups.map(({ id }) => id) };
}

/** Sets the release of what was shipped, and names it in the resolutions of the groups. */
export async function shipCommits(
  tx: Tx,
  release: { project_id: number; version: string; first_seen_at: string | null },
  { changeIds, groupIds }: Shipment,
): Promise<void> {
  const { project_id, version, first_seen_at } = release;
  if (changeIds.length > 0)
    await sql`update git_changes set release = ${version} where id = any(${changeIds}::bigint[])`.execute(tx);
  if (groupIds.length > 0) {
    await sql`
      update error_groups set resolved_in = 'release', resolved_in_release = ${version}, updated_at = clock_timestamp()
      where id = any(${groupIds}::bigint[])`.execute(tx);
    await announceErrorGroups(
      tx,
      groupIds.map((id) => ({ id, project_id })),
    );
    if (first_seen_at !== null) await verifyFixesAgain(tx, project_id, first_seen_at);
  }
  await announceDevelopment(tx, project_id, changeIds);
}

/** Ships what earlier deploys contained before their commits were pushed. The caller holds the project's lock. */
export async function shipLateCommits(tx: Tx, projectId: number, hashes: string[]): Promise<void> {
  const { rows } = await sql<{ version: string; first_seen_at: string; commit: string }>`
    select r.version, r.first_seen_at, coalesce(d.commit, r.commit) as commit
    from release_deploys d join releases r on r.id = d.release_id
    where r.project_id = ${projectId} and d.deployed_at > now() - ${LATE}
      and length(coalesce(d.commit, r.commit)) >= ${MIN_HASH_LENGTH} and exists (
        select from unnest(${hashes}::text[]) pushed (hash)
        where starts_with(pushed.hash, lower(coalesce(d.commit, r.commit))))
    order by d.deployed_at, d.id`.execute(tx);
  for (const { version, first_seen_at, commit } of rows)
    await shipCommits(
      tx,
      { project_id: projectId, version, first_seen_at },
      await findShipment(tx, projectId, commit),
    );
}

/** How long before the push of its commit a deploy can be. */
const LATE: RawBuilder<string> = sql`interval '7 days'`;

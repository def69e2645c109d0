import { sent } from "./columns.ts";

/**
 * The number of rows that a release's count is split into, so that concurrent connections usually update different rows
 * and do not wait for each other's commit.
 */
export const SLOTS = 8;

const KNOWN_RELEASES = `
release_events as materialized (
  select s.project_id, c.release as version, sha256(convert_to(c.release, 'UTF8')) as version_hash,
    sum(c.count)::bigint as events, max(s.at) as at
  from ${sent("batch_releases", "c")} join seen s using (n)
  group by s.project_id, c.release
),
known_releases as materialized (
  select e.*, r.id, r.first_seen_at
  from release_events e left join releases r on r.project_id = e.project_id and r.version_hash = e.version_hash
)`;

/** Counts the events of known releases. Reads `seen`. `known_releases`: first_seen_at, null for a release that is new. */
export const RELEASE_EVENTS = `
${KNOWN_RELEASES.trim()},
release_counted as (
  insert into release_counts as c (release_id, slot, events, new_groups, regressed_groups)
  select id, pg_backend_pid() % ${SLOTS}, events, 0, 0 from known_releases where first_seen_at is not null order by id
  on conflict (release_id, slot) do update set events = c.events + excluded.events
)`;

/**
 * Creates new releases of projects and counts the events of all releases, in a fixed order, so that concurrent batches
 * cannot deadlock. Reads the row of a known release without locking it. Reads `groups`, `seen` and `batch`.
 * `project_releases`: id, project_id, version, events.
 */
export const PROJECT_RELEASES = `
${KNOWN_RELEASES.trim()},
new_releases as (
  insert into releases as r (project_id, version_hash, version, first_seen_at)
  select project_id, version_hash, version, at from known_releases where first_seen_at is null
  order by project_id, version_hash
  -- A concurrent batch may have inserted it, or a resolution may have created it before its first event.
  on conflict (project_id, version_hash) do update set first_seen_at = coalesce(r.first_seen_at, excluded.first_seen_at)
  returning r.id, r.project_id, r.version_hash
),
project_releases as materialized (
  select coalesce(k.id, n.id) as id, k.project_id, k.version, k.events
  from known_releases k left join new_releases n on n.project_id = k.project_id and n.version_hash = k.version_hash
),
release_regressions as (
  insert into release_groups (release_id, kind, group_id, at)
  select r.id, 'regressed', g.id, g.last_seen_at
  from groups g join project_releases r on r.project_id = g.project_id and r.version = g.regressed_release
  where g.is_regressed
  on conflict (release_id, kind, group_id) do nothing
  returning release_id
),
release_counted as (
  insert into release_counts as c (release_id, slot, events, new_groups, regressed_groups)
  select id, pg_backend_pid() % ${SLOTS}, sum(events), sum(new_groups), sum(regressed_groups)
  from (
    select id, events, 0 as new_groups, 0 as regressed_groups from project_releases
    union all
    select r.id, 0, 1, 0
    from groups g join batch b on b.key = g.key
    join project_releases r on r.project_id = g.project_id and r.version = b.first_release
    where g.is_new
    union all select release_id, 0, 0, 1 from release_regressions
  ) counted
  group by id order by id
  on conflict (release_id, slot) do update set
    events = c.events + excluded.events,
    new_groups = c.new_groups + excluded.new_groups,
    regressed_groups = c.regressed_groups + excluded.regressed_groups
)`;

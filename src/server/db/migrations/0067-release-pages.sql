-- Pages of releases are merged from two indexes: the semantic versions in their order, and all others by time. A release that
-- was not seen yet counts as seen last.
drop index releases_by_version;
create index releases_by_version on releases (project_id, sort_key, coalesce(first_seen_at, 'infinity'), id)
  where sort_key is not null;
create index releases_without_version on releases (project_id, coalesce(first_seen_at, 'infinity'), id)
  where sort_key is null;

-- For the time when the latest of the semantic versions up to one was seen.
create index releases_versions_by_time on releases (project_id, first_seen_at) include (sort_key)
  where sort_key is not null;

-- The order as one statement that sorts all releases. An old version that was not seen yet, such as one that a resolution
-- names, is below the newer versions that were: without the last case it would be above everything.
create or replace view ordered_releases as
select r.*, coalesce(
  case when sort_key is null then first_seen_at
    else max(first_seen_at) over (partition by project_id, sort_key is null order by sort_key) end,
  case when sort_key is not null and max(first_seen_at) over (partition by project_id, sort_key is null) is not null
    then '-infinity'::timestamptz end,
  'infinity') as position_at
from releases r;

-- For the deploys that an error's chart marks.
create index release_deploys_by_time on release_deploys (deployed_at);

-- Which tags the kept events of a group have, so that lists find groups by a tag without reading all kept events. A job adds
-- rows a moment after events were stored and removes them some time after the events were dropped; readers therefore also look
-- at recent groups, and check the kept events of the groups that they find. No row is written while events are stored.
create table error_group_tags (
  project_id bigint not null,
  -- hashtextextended(key || ':' || value, 0)
  tag_hash bigint not null,
  group_id bigint not null references error_groups on delete cascade,
  primary key (project_id, tag_hash, group_id)
);
create index error_group_tags_group_id on error_group_tags (group_id);

-- The time up to which events are in `error_group_tags`. No row until the job has read all kept events once.
create table error_group_tags_progress (
  is_only boolean primary key default true check (is_only),
  indexed_until timestamptz not null
);

-- With the order of lists, so that a list of the groups of one first release reads only as many as it shows. Other indexes have
-- `last_seen_span` already, so this one is not written more often.
create index error_groups_first_release on error_groups
  (project_id, hashtextextended(release, 0), last_seen_span desc) where release is not null;
drop index error_groups_release;

-- Replaced by `error_digests`.
drop table error_group_digests;

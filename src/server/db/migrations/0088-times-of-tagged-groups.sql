-- A time before which the group was last seen, for finding the page of a tag without reading all of its groups. Coarse, so that
-- a group's events rarely change it: a job raises it some time after they were stored, so readers also look at recent groups.
-- It may be too late, as it is for rows from before this migration.
alter table error_group_tags add column seen_before timestamptz not null default
  date_bin('6 hours', now(), 'epoch') + interval '6 hours';
-- Later than any event that a transaction has seen, even if it began before the event.
alter table error_group_tags alter column seen_before
  set default date_bin('6 hours', clock_timestamp(), 'epoch') + interval '6 hours';

-- The time up to which events are in `seen_before`. Processes of the version before index tags without raising it, so it is not
-- the time up to which tags are indexed.
create table error_group_tag_times_progress (
  is_only boolean primary key default true check (is_only),
  indexed_until timestamptz not null
);
insert into error_group_tag_times_progress (indexed_until) values (now());

-- A merged group has the latest event of all. A trigger, because processes of the version before merge groups, too.
create function raise_times_of_merged_group() returns trigger language plpgsql as $$
begin
  update error_group_tags set seen_before = default where group_id = new.merged_into;
  return null;
end $$;

create trigger merged_error_groups_times after insert on merged_error_groups for each row
  execute function raise_times_of_merged_group();

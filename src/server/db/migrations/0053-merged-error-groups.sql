-- The fingerprints of error groups that were merged into another group, by the key that the merged group had. Events with
-- these keys are counted in `group_id`. The class and message are those of the merged group, so that people recognize it.
create table error_group_aliases (
  key bytea primary key,
  group_id bigint not null references error_groups on delete cascade,
  exception_class text not null,
  message text not null,
  merged_at timestamptz not null default clock_timestamp()
);
create index error_group_aliases_group_id on error_group_aliases (group_id);

-- Where the merged groups are now. A row stays when the fingerprint is split off again, because the past counts stay, too.
create table merged_error_groups (
  id bigint primary key,
  project_id bigint not null,
  merged_into bigint not null references error_groups on delete cascade
);
create index merged_error_groups_merged_into on merged_error_groups (merged_into);

-- The group in which a row's group is now, for rows that outlive the merge, such as ids of events.
create function current_error_group(of_id bigint) returns bigint language sql stable as $$
  select coalesce((select merged_into from merged_error_groups where id = of_id), of_id)
$$;

-- Merging changes the group of notifications.
create index notifications_error_group_id on notifications (error_group_id) where error_group_id is not null;

-- A batch that was read before its fingerprint was merged would create a group of its own. It fails instead, with a code by
-- which the server recognizes it, and is stored again. Repeated events do not fire this trigger.
create or replace function note_error_group_class() returns trigger language plpgsql as $$
begin
  if exists (select from error_group_aliases where key = new.key) then
    raise exception 'events of this fingerprint belong to another error group' using errcode = 'SB001';
  end if;
  insert into error_group_classes values (new.id, new.project_id, new.exception_class);
  return null;
end $$;

-- True, or the same failure if the fingerprint does not belong to the group. It is volatile, so that it sees what was
-- committed before the statement that calls it got the lock on the group.
create function require_error_group_alias(alias bytea, of_group_id bigint) returns boolean language plpgsql volatile as $$
begin
  if not exists (select from error_group_aliases where key = alias and group_id = of_group_id) then
    raise exception 'events of this fingerprint do not belong to the error group' using errcode = 'SB001';
  end if;
  return true;
end $$;

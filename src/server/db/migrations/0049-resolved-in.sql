alter table error_groups
  -- Null for a plain resolution, else `next_release`, or `release` with its name.
  add column resolved_in text,
  add column resolved_in_release text collate "C",
  -- The project's latest release when the group was resolved.
  add column resolved_after_release text collate "C",
  -- When the fix had been running long enough. Null unless the group is resolved.
  add column verified_at timestamptz;

-- Whether an event of the release opens a group again that was resolved in a way other than plainly. It is volatile, so that
-- it sees releases that were committed after the statement that calls it began, but before that got the lock on the group.
create function regresses_in(
  project bigint, mode text, named text, resolved_at timestamptz, after_release text, release text
) returns boolean language plpgsql volatile as $$
declare
  seen_at timestamptz;
  named_at timestamptz;
  sort_key text := release_sort_key(release);
  other_key text := release_sort_key(case mode when 'release' then named else after_release end);
begin
  select first_seen_at into seen_at from releases
    where project_id = project and version_hash = sha256(convert_to(release, 'UTF8'));
  if mode = 'release' then
    if release = named then return true; end if;
    if sort_key is not null and other_key is not null then return sort_key >= other_key; end if;
    select first_seen_at into named_at from releases
      where project_id = project and version_hash = sha256(convert_to(named, 'UTF8'));
    return coalesce(coalesce(seen_at, 'infinity') > named_at, false);
  end if;
  if seen_at <= resolved_at then return false; end if;
  return coalesce(sort_key >= other_key, true);
end $$;

-- Events that are kept in full, at most 100 per group. The newest event of each group is not here but in
-- error_group_details, which every batch of events writes anyway; a trigger moves it here when a newer one replaces it and
-- it is to be kept. Partitions by month are created ahead by a background job; without one, rows go to the default.
create sequence error_events_id_seq;
create table error_events (
  id bigint not null,
  group_id bigint not null references error_groups on delete cascade,
  received_at timestamptz not null,
  -- Why it is kept: 3 the first of its group, 2 one of the first ten, 1 one per minute, 0 the newest of its release.
  reason smallint not null,
  has_feedback boolean not null,
  event_id uuid,
  level text not null,
  release text collate "C",
  host text collate "C",
  -- Recognizes a user without naming them.
  pseudonym text,
  message text not null,
  stack_trace text not null,
  previous_exceptions text not null,
  context text,
  runtime_name text,
  runtime_version text,
  framework_name text,
  framework_version text,
  tags jsonb,
  -- Breadcrumbs, request, contexts, extra, frames, and what was cut or removed, as JSON.
  additions text,
  primary key (group_id, id, received_at)
) partition by range (received_at);
create table error_events_default partition of error_events default;
create index error_events_event_id on error_events (event_id) where event_id is not null;

alter table error_groups add column last_kept_at timestamptz;

-- `event` is the id of the group's newest event in error_events; null if it was stored before events were kept.
alter table error_group_details
  add column event bigint,
  add column received_at timestamptz,
  add column reason smallint not null default 0,
  add column has_feedback boolean not null default false,
  add column event_id uuid,
  add column level text not null default 'error',
  add column release text collate "C",
  add column host text collate "C",
  add column pseudonym text,
  add column message text not null default '',
  add column tags jsonb,
  add column additions text,
  -- Replaces `message`, `stack_trace` and `previous_exceptions` in the kept event, if they are too large for one.
  add column cut jsonb,
  -- Whether to keep this event when the next one is of another release.
  add column is_release_kept boolean not null default false,
  -- Whether the same batch brought further events to keep.
  add column has_others boolean not null default false;
alter table error_group_details
  alter message set storage external,
  alter additions set storage external;

-- All kept events, with the newest of each group.
create view kept_events as
  select id, group_id, received_at, event_id, level, release, host, pseudonym, message, stack_trace, previous_exceptions,
    context, runtime_name, runtime_version, framework_name, framework_version, tags, additions
  from error_events
  union all
  select event, group_id, received_at, event_id, level, release, host, pseudonym, coalesce(cut ->> 'message', message),
    coalesce(cut ->> 'stack_trace', stack_trace), coalesce(cut ->> 'previous_exceptions', previous_exceptions),
    context, runtime_name, runtime_version, framework_name, framework_version, tags, additions
  from error_group_details where event is not null;

-- In PL/pgSQL like the others, because it keeps the plans of its statements.
create function keep_event(d error_group_details) returns void language plpgsql as $$
begin
  insert into error_events (id, group_id, received_at, reason, has_feedback, event_id, level, release, host, pseudonym,
    message, stack_trace, previous_exceptions, context, runtime_name, runtime_version, framework_name, framework_version,
    tags, additions)
  values (d.event, d.group_id, d.received_at, d.reason, d.has_feedback, d.event_id, d.level, d.release, d.host, d.pseudonym,
    coalesce(d.cut ->> 'message', d.message), coalesce(d.cut ->> 'stack_trace', d.stack_trace),
    coalesce(d.cut ->> 'previous_exceptions', d.previous_exceptions), d.context, d.runtime_name, d.runtime_version,
    d.framework_name, d.framework_version, d.tags, d.additions);
end $$;

-- Drops events that are no longer the newest of their release, and the oldest until at most 99 are left besides the newest
-- one of the group, whose release is given: first those in between, then the newest of old releases, then those with
-- feedback, and the first ten last. Requires the lock on the group's row.
create function drop_kept_events(of_group_id bigint, newest_release text) returns void language plpgsql as $$
begin
  delete from error_events e using (
    select id, received_at, protection, row_number() over (order by protection desc, id desc) as place
    from (
      select id, received_at, case
        when reason >= 2 then reason + 2
        when has_feedback then 3
        when release is distinct from newest_release
          and row_number() over (partition by release order by id desc) = 1 then 2
        else reason end as protection
      from error_events where group_id = of_group_id
    ) protected
  ) ranked
  where e.group_id = of_group_id and e.id = ranked.id and e.received_at = ranked.received_at
    and (ranked.protection = 0 or ranked.place > 99);
end $$;

create function replace_newest_event() returns trigger language plpgsql as $$
declare
  is_other_release boolean := old.release is distinct from new.release;
begin
  if old.reason > 0 or old.has_feedback or (is_other_release and old.is_release_kept) then
    perform keep_event(old);
  end if;
  -- While all events of the group are among the first ten, there is nothing to drop.
  if new.reason < 2 and (is_other_release or new.has_others or old.has_feedback or old.reason = 1) then
    perform drop_kept_events(new.group_id, new.release);
  end if;
  return null;
end $$;

create trigger error_group_details_newest_event after update on error_group_details for each row
  when (new.event <> old.event and (old.reason > 0 or old.has_feedback or new.has_others
    or (old.is_release_kept and old.release is distinct from new.release)))
  execute function replace_newest_event();

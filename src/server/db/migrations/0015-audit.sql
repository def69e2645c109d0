-- The audit log, written in the transaction of each action. Names are copied and only the actor is a foreign key, so an
-- entry outlives what it describes.
create table audit_events (
  id bigint generated always as identity primary key,
  -- The workspace whose administrators can read it; null for none, such as a failed sign-in with an unknown address.
  workspace_id bigint,
  actor_id bigint references users on delete set null,
  actor_name text,
  kind text not null,
  subject_type text,
  subject_id bigint,
  subject_name text,
  details jsonb not null default '{}',
  ip text,
  user_agent text,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(subject_type, subject_id) in (0, 2))
);
create index audit_events_list on audit_events (workspace_id, id);
create index audit_events_kind on audit_events (workspace_id, kind, id);
create index audit_events_actor on audit_events (workspace_id, actor_id, id);
create index audit_events_subject on audit_events (workspace_id, subject_type, subject_id, id);
-- For deleting users and old entries.
create index audit_events_actor_id on audit_events (actor_id) where actor_id is not null;
create index audit_events_created_at on audit_events (created_at);

-- Append-only: an entry changes only when its actor is deleted. Entries older than 400 days can be deleted in a
-- transaction with: set local signalbox.audit_retention = 'on'.
create function keep_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.actor_id is null and to_jsonb(new) - 'actor_id' = to_jsonb(old) - 'actor_id'
      and not exists (select from users where id = old.actor_id) then
      return new;
    end if;
  elsif tg_op = 'DELETE' then
    if current_setting('signalbox.audit_retention', true) = 'on'
      and old.created_at < clock_timestamp() - interval '400 days' then
      return old;
    end if;
  end if;
  raise exception 'audit_events is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger keep_audit_events before update or delete on audit_events
  for each row execute function keep_audit_events();
create trigger keep_all_audit_events before truncate on audit_events
  for each statement execute function keep_audit_events();

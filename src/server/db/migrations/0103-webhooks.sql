-- Addresses that are told what happens in a project, or in all projects of a workspace if `project_id` is null.
create table webhooks (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces on delete cascade,
  project_id bigint references projects on delete cascade,
  url text not null,
  -- Names of events, `kind.*` or `*`.
  events text[] not null,
  format text not null check (format in ('signalbox', 'slack', 'discord', 'teams', 'telegram', 'ntfy')),
  active boolean not null default true,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  -- The first failure since the last success.
  failing_since timestamptz,
  -- Nothing is sent before this time, because the receiver asked for a pause.
  paused_until timestamptz,
  secret bytea not null,
  -- Also signs until `previous_secret_until`.
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (disabled_reason is null or not active),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhooks_by_workspace on webhooks (workspace_id, project_id);
create index webhooks_by_project on webhooks (project_id) where project_id is not null;
create index webhooks_by_creator on webhooks (created_by) where created_by is not null;

-- What a webhook sends or has sent: a row for each event and webhook, written by the transaction of the change. Ids grow in commit order
-- for each object, because its changes are serialized by a lock on its row or its project.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  -- The same for every webhook that gets the event.
  event_id text collate "C" not null,
  event text not null,
  object_kind text not null,
  object_id bigint not null,
  -- The JSON text that is signed and sent; chat messages are made from it.
  body text not null,
  -- {headers, body} of the latest attempt; `body` only if a chat message was sent instead of the text above.
  request jsonb,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- A test or a further attempt that someone asked for: sent even if the webhook is paused or not active.
  is_forced boolean not null default false,
  -- {started_at, duration_ms, status_code, error, response_body} of each attempt, as the API shows them.
  attempts jsonb not null default '[]',
  attempt_count int not null default 0,
  -- Null if no further attempt is due.
  next_attempt_at timestamptz default clock_timestamp(),
  -- The process that sends it has it until this time.
  leased_until timestamptz,
  started_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, is_forced, next_attempt_at, id) where next_attempt_at is not null;
-- Deliveries about an object start in the order of their ids.
create index webhook_deliveries_unstarted on webhook_deliveries (webhook_id, object_kind, object_id, id)
  where attempt_count = 0 and next_attempt_at is not null;
create index webhook_deliveries_leased on webhook_deliveries (webhook_id) where leased_until is not null;
-- A chat gets one message per error group and hour.
create index webhook_deliveries_of_group on webhook_deliveries (webhook_id, object_id) where object_kind = 'error_group';
create index webhook_deliveries_by_time on webhook_deliveries (created_at);

-- New releases, which events create without reading them. A job tells the webhooks.
create table new_releases (
  release_id bigint primary key references releases on delete cascade
);
create function note_new_release() returns trigger language plpgsql as $$
begin
  if exists (
    select from projects p join webhooks w on w.workspace_id = p.workspace_id and (w.project_id is null or w.project_id = p.id)
    where p.id = new.project_id and w.active
  ) then
    insert into new_releases (release_id) values (new.id);
  end if;
  return null;
end $$;
create trigger note_new_release after insert on releases for each row execute function note_new_release();

-- Grows with each event, so that receivers can drop what is older than what they have of an object.
create sequence webhook_sequence;

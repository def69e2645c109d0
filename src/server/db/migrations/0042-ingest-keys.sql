-- Keys with which programs and web pages send errors and feedback to a project, and do nothing else. They are part of web
-- pages, so they are no secrets and stored as they are.
create table ingest_keys (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  key text not null unique default replace(gen_random_uuid()::text, '-', ''),
  active boolean not null default true,
  -- Empty if pages of every origin may use the key.
  allowed_origins text[] not null default '{}',
  created_by bigint references users on delete set null,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index ingest_keys_project_id on ingest_keys (project_id);
create index ingest_keys_created_by on ingest_keys (created_by);

insert into ingest_keys (project_id, name)
select id, 'Default' from projects where deleted_at is null;

-- The time a key was last used is left out.
create trigger live_insert after insert on ingest_keys referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on ingest_keys
  referencing old table as before_rows new table as touched
  for each statement execute function record_project_changes(
    'select t.project_id from touched t join before_rows b using (id)
    where (b.name, b.active, b.allowed_origins) is distinct from (t.name, t.active, t.allowed_origins)');
create trigger live_delete after delete on ingest_keys referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

-- Deleting millions of rows takes minutes, so a project or workspace is hidden first. A background job then deletes its
-- rows in batches, and finally the row itself. Its key can be reused at once.
alter table workspaces add column deleted_at timestamptz;
alter table projects add column deleted_at timestamptz;
alter table projects drop constraint projects_key_key;
create unique index projects_key on projects (key) where deleted_at is null;

-- A row for each deleted project or workspace, also while its rows are being deleted. Each batch changes `step`,
-- `last_id` and `rows_deleted` in its own transaction, so a killed process loses at most the batch it was working on.
create table deletions (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('project', 'workspace')),
  target_id bigint not null,
  workspace_id bigint not null,
  name text not null,
  project_key text collate "C",
  requested_by bigint references users on delete set null,
  -- The project whose rows are being deleted, the step (people/deletions/steps.ts), and the id up to which it is done.
  project_id bigint,
  step text,
  last_id bigint not null default 0,
  -- Counted when the job starts.
  rows_total bigint,
  rows_deleted bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  check ((kind = 'project') = (project_key is not null))
);
create index deletions_unfinished on deletions (id) where finished_at is null;
create index deletions_workspace_id on deletions (workspace_id, id);
create index deletions_requested_by on deletions (requested_by, id);

create or replace view project_grants as
  select p.id as project_id, m.user_id, true as is_all, '{}'::text[] as permissions
  from workspace_members m
  join projects p on p.workspace_id = m.workspace_id and p.deleted_at is null
  where m.is_admin and m.deactivated_at is null
  union all
  select pm.project_id, pm.user_id, pm.is_owner, r.permissions
  from project_members pm
  join projects p on p.id = pm.project_id and p.deleted_at is null
  join workspace_members m on m.workspace_id = pm.workspace_id and m.user_id = pm.user_id and m.deactivated_at is null
  join roles r on r.id = pm.role_id
  union all
  select pt.project_id, tm.user_id, false, r.permissions
  from project_teams pt
  join projects p on p.id = pt.project_id and p.deleted_at is null
  join team_members tm on tm.team_id = pt.team_id
  join workspace_members m on m.workspace_id = tm.workspace_id and m.user_id = tm.user_id and m.deactivated_at is null
  join roles r on r.id = pt.role_id;

-- Nobody can receive a change of a deleted project, so none is recorded while its rows are deleted.
create or replace function record_live_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changes (kind, project_id, target_id) select tg_argv[0], a.project_id, a.id from after_rows a;
  elsif tg_op = 'DELETE' then
    insert into changes (kind, project_id, target_id)
    select tg_argv[0], b.project_id, b.id
    from before_rows b join projects p on p.id = b.project_id and p.deleted_at is null;
  else
    insert into changes (kind, project_id, target_id)
    select tg_argv[0], a.project_id, a.id
    from after_rows a join before_rows b on b.id = a.id and b.updated_at is distinct from a.updated_at;
  end if;
  if found then
    perform pg_notify('signalbox_changes', '');
  end if;
  return null;
end $$;

create or replace function record_project_changes() returns trigger language plpgsql as $$
declare
  told bigint;
begin
  execute 'insert into changes (kind, project_id, target_id)
    select ''project'', p.id, p.id from projects p where p.deleted_at is null and p.id in (' || tg_argv[0] || ')';
  get diagnostics told = row_count;
  if told > 0 then
    perform pg_notify('signalbox_changes', '');
  end if;
  return null;
end $$;

-- Changes of a project's settings and members are live updates of the project, so that open pages reload it. As in 0011,
-- triggers record them. The argument is a query for the ids of the projects that a statement changed; deleted projects
-- are left out.
create function record_project_changes() returns trigger language plpgsql as $$
declare
  told bigint;
begin
  execute 'insert into changes (kind, project_id, target_id)
    select ''project'', p.id, p.id from projects p where p.id in (' || tg_argv[0] || ')';
  get diagnostics told = row_count;
  if told > 0 then
    perform pg_notify('signalbox_changes', '');
  end if;
  return null;
end $$;

create trigger live_insert after insert on lanes referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on lanes referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_delete after delete on lanes referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

create trigger live_insert after insert on labels referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on labels referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_delete after delete on labels referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

create trigger live_insert after insert on sprints referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on sprints referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_delete after delete on sprints referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

create trigger live_insert after insert on project_members referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on project_members referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_delete after delete on project_members referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

create trigger live_insert after insert on project_teams referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on project_teams referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_delete after delete on project_teams referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

-- Deleting a team deletes its project_teams rows, whose trigger records the change.
create trigger live_update after update on teams referencing new table as touched
  for each statement execute function record_project_changes(
    'select pt.project_id from touched t join project_teams pt on pt.team_id = t.id');
create trigger live_insert after insert on team_members referencing new table as touched
  for each statement execute function record_project_changes(
    'select pt.project_id from touched t join project_teams pt on pt.team_id = t.team_id');
create trigger live_delete after delete on team_members referencing old table as touched
  for each statement execute function record_project_changes(
    'select pt.project_id from touched t join project_teams pt on pt.team_id = t.team_id');

-- Only updates matter: a role in use cannot be deleted, and a new one has no members.
create trigger live_update after update on roles referencing new table as touched
  for each statement execute function record_project_changes(
    'select m.project_id from touched t join project_members m on m.role_id = t.id
    union all select pt.project_id from touched t join project_teams pt on pt.role_id = t.id');

create trigger live_update after update on workspaces referencing old table as before_rows new table as touched
  for each statement execute function record_project_changes(
    'select o.id from touched t join before_rows b on b.id = t.id join projects o on o.workspace_id = t.id
    where (b.reports_enabled, b.error_tracking_enabled) is distinct from (t.reports_enabled, t.error_tracking_enabled)');

-- Administrators have every project of the workspace. Other members have projects by rows with their own triggers, until
-- they are deactivated.
create trigger live_insert after insert on workspace_members referencing new table as touched
  for each statement execute function record_project_changes(
    'select o.id from touched t join projects o on o.workspace_id = t.workspace_id where t.is_admin');
create trigger live_update after update on workspace_members
  referencing old table as before_rows new table as touched
  for each statement execute function record_project_changes(
    'select o.id from touched t join before_rows b using (workspace_id, user_id)
      join projects o on o.workspace_id = t.workspace_id
    where (b.is_admin, b.deactivated_at) is distinct from (t.is_admin, t.deactivated_at)');
create trigger live_delete after delete on workspace_members referencing old table as touched
  for each statement execute function record_project_changes(
    'select o.id from touched t join projects o on o.workspace_id = t.workspace_id where t.is_admin');

-- Deletions with the whole project are left out, because nobody can receive them. Reading project_id by name, which all
-- three tables have, avoids converting whole rows to JSON on every move of an issue.
create or replace function record_live_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changes (kind, project_id, target_id) select tg_argv[0], a.project_id, a.id from after_rows a;
  elsif tg_op = 'DELETE' then
    insert into changes (kind, project_id, target_id)
    select tg_argv[0], b.project_id, b.id from before_rows b join projects p on p.id = b.project_id;
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

-- Every new issue updates its project's row, so this finds changes without dynamic SQL.
create function record_live_projects() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changes (kind, project_id, target_id) select 'project', a.id, a.id from after_rows a;
  else
    insert into changes (kind, project_id, target_id)
    select 'project', a.id, a.id
    from after_rows a join before_rows b on b.id = a.id and b.updated_at is distinct from a.updated_at;
  end if;
  if found then
    perform pg_notify('signalbox_changes', '');
  end if;
  return null;
end $$;
drop trigger live_insert on projects;
drop trigger live_update on projects;
create trigger live_insert after insert on projects referencing new table as after_rows
  for each statement execute function record_live_projects();
create trigger live_update after update on projects referencing old table as before_rows new table as after_rows
  for each statement execute function record_live_projects();

-- Changes of a workspace's people, roles and teams are live updates of the workspace; changes of a profile, its tokens and
-- its memberships are live updates of the profile, which only its owner receives. The arguments are the kind and a query
-- for the rows (target_id, user_id).
create function record_live_changes_of() returns trigger language plpgsql as $$
declare
  recorded bigint;
begin
  execute 'insert into changes (kind, target_id, user_id) select distinct ''' || tg_argv[0] || ''', c.* from ('
    || tg_argv[1] || ') c';
  get diagnostics recorded = row_count;
  if recorded > 0 then
    perform pg_notify('signalbox_changes', '');
  end if;
  return null;
end $$;

create trigger live_workspace_update after update on workspaces
  referencing old table as before_rows new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select t.id, null::bigint from touched t join before_rows b using (id) where t is distinct from b');

create trigger live_workspace_insert after insert on roles referencing new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_update after update on roles referencing new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_delete after delete on roles referencing old table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');

create trigger live_workspace_insert after insert on teams referencing new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_update after update on teams referencing new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_delete after delete on teams referencing old table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_insert after insert on team_members referencing new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_delete after delete on team_members referencing old table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');

create trigger live_workspace_insert after insert on workspace_members referencing new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_update after update on workspace_members referencing new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_delete after delete on workspace_members referencing old table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');

create trigger live_workspace_insert after insert on invitations referencing new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');
create trigger live_workspace_delete after delete on invitations referencing old table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select workspace_id, null::bigint from touched');

-- Others see a person's name, username and picture.
create trigger live_workspace_update after update on users
  referencing old table as before_rows new table as touched
  for each statement execute function record_live_changes_of('workspace',
    'select m.workspace_id, null::bigint from touched t join before_rows b using (id)
      join workspace_members m on m.user_id = t.id
    where (b.username, b.first_name, b.last_name, b.profile_picture)
      is distinct from (t.username, t.first_name, t.last_name, t.profile_picture)');
create trigger live_profile_update after update on users
  referencing old table as before_rows new table as touched
  for each statement execute function record_live_changes_of('profile',
    'select t.id, t.id from touched t join before_rows b using (id)
    where to_jsonb(b) - ''password_hash'' is distinct from to_jsonb(t) - ''password_hash''');

-- A member who was removed or deactivated no longer receives the workspace's changes.
create trigger live_profile_insert after insert on workspace_members referencing new table as touched
  for each statement execute function record_live_changes_of('profile', 'select user_id, user_id from touched');
create trigger live_profile_update after update on workspace_members referencing new table as touched
  for each statement execute function record_live_changes_of('profile', 'select user_id, user_id from touched');
create trigger live_profile_delete after delete on workspace_members referencing old table as touched
  for each statement execute function record_live_changes_of('profile', 'select user_id, user_id from touched');

-- The time a token was last used is left out.
create trigger live_profile_insert after insert on personal_tokens referencing new table as touched
  for each statement execute function record_live_changes_of('profile', 'select user_id, user_id from touched');
create trigger live_profile_update after update on personal_tokens
  referencing old table as before_rows new table as touched
  for each statement execute function record_live_changes_of('profile',
    'select t.user_id, t.user_id from touched t join before_rows b using (id)
    where (b.name, b.write, b.expires_at) is distinct from (t.name, t.write, t.expires_at)');
create trigger live_profile_delete after delete on personal_tokens referencing old table as touched
  for each statement execute function record_live_changes_of('profile', 'select user_id, user_id from touched');

create trigger live_insert after insert on project_tokens referencing new table as touched
  for each statement execute function record_project_changes('select project_id from touched');
create trigger live_update after update on project_tokens
  referencing old table as before_rows new table as touched
  for each statement execute function record_project_changes(
    'select t.project_id from touched t join before_rows b using (id)
    where (b.name, b.access, b.active, b.expires_at) is distinct from (t.name, t.access, t.active, t.expires_at)');
create trigger live_delete after delete on project_tokens referencing old table as touched
  for each statement execute function record_project_changes('select project_id from touched');

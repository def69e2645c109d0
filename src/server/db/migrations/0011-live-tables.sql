-- Many statements change issues, reports, epics and projects, some of them many rows at once. Triggers on the rows catch
-- all of them and record live updates in the same transaction. An update counts if it changes updated_at, which
-- renumbering ranks does not. Comments, notifications and error groups record their own.
create function record_live_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into changes (kind, project_id, target_id)
    select tg_argv[0], (to_jsonb(a) ->> tg_argv[1])::bigint, a.id from after_rows a;
  elsif tg_op = 'DELETE' then
    insert into changes (kind, project_id, target_id)
    select tg_argv[0], (to_jsonb(b) ->> tg_argv[1])::bigint, b.id from before_rows b;
  else
    insert into changes (kind, project_id, target_id)
    select tg_argv[0], (to_jsonb(a) ->> tg_argv[1])::bigint, a.id
    from after_rows a join before_rows b on b.id = a.id and b.updated_at is distinct from a.updated_at;
  end if;
  if found then
    perform pg_notify('signalbox_changes', '');
  end if;
  return null;
end $$;

create trigger live_insert after insert on issues referencing new table as after_rows
  for each statement execute function record_live_changes('issue', 'project_id');
create trigger live_update after update on issues referencing old table as before_rows new table as after_rows
  for each statement execute function record_live_changes('issue', 'project_id');
create trigger live_delete after delete on issues referencing old table as before_rows
  for each statement execute function record_live_changes('issue', 'project_id');

create trigger live_insert after insert on reports referencing new table as after_rows
  for each statement execute function record_live_changes('report', 'project_id');
create trigger live_update after update on reports referencing old table as before_rows new table as after_rows
  for each statement execute function record_live_changes('report', 'project_id');
create trigger live_delete after delete on reports referencing old table as before_rows
  for each statement execute function record_live_changes('report', 'project_id');

create trigger live_insert after insert on epics referencing new table as after_rows
  for each statement execute function record_live_changes('epic', 'project_id');
create trigger live_update after update on epics referencing old table as before_rows new table as after_rows
  for each statement execute function record_live_changes('epic', 'project_id');
create trigger live_delete after delete on epics referencing old table as before_rows
  for each statement execute function record_live_changes('epic', 'project_id');

create trigger live_insert after insert on projects referencing new table as after_rows
  for each statement execute function record_live_changes('project', 'id');
create trigger live_update after update on projects referencing old table as before_rows new table as after_rows
  for each statement execute function record_live_changes('project', 'id');

-- As for error groups, people who have left a project are looked up among those who have done something there, also with its issues,
-- which have several entries of history each. The next migration fills in the project of old entries: apart, so that it locks no table.
alter table issue_activity add column project_id bigint;

-- A trigger, because processes of the version before do not set it either.
create function note_project_of_issue_activity() returns trigger language plpgsql as $$
begin
  new.project_id := (select project_id from issues where id = new.issue_id);
  return new;
end $$;

create trigger issue_activity_project before insert on issue_activity for each row
  when (new.actor_id is not null) execute function note_project_of_issue_activity();

create index issue_activity_people on issue_activity (actor_id, project_id)
  where actor_id is not null and project_id is not null;

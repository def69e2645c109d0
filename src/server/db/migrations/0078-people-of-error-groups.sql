-- People who have left a project are looked up among those who have done something there, also with its error groups, of which it
-- may have a hundred thousand. Most entries are those of events, have no actor, and need no project.
alter table error_group_activity add column project_id bigint;
update error_group_activity a set project_id = g.project_id
from error_groups g where g.id = a.group_id and a.actor_id is not null;

-- A trigger, because processes of the version before do not set it either.
create function note_project_of_activity() returns trigger language plpgsql as $$
begin
  new.project_id := (select project_id from error_groups where id = new.group_id);
  return new;
end $$;

create trigger error_group_activity_project before insert on error_group_activity for each row
  when (new.actor_id is not null) execute function note_project_of_activity();

create index error_group_activity_people on error_group_activity (actor_id, project_id) where actor_id is not null;
create index error_groups_resolved_by on error_groups (resolved_by_id, project_id) where resolved_by_id is not null;

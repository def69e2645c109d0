-- So that the groups of some projects can be read in the order of their users. The trigger is for servers of the version before, which do
-- not write the column.
alter table error_group_counts add column project_id bigint;

create function note_project_of_counts() returns trigger language plpgsql as $$
begin
  select g.project_id into new.project_id from error_groups g where g.id = new.group_id;
  return new;
end $$;
create trigger note_project_of_counts before insert on error_group_counts
  for each row when (new.project_id is null) execute function note_project_of_counts();

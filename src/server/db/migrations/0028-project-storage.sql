-- The size of a project's attachments, so that a quota can be checked without adding them up. Triggers, because rows are
-- also deleted by cascade. A project without attachments may have no row.
create table project_storage (
  project_id bigint primary key references projects on delete cascade,
  bytes bigint not null
);
insert into project_storage select project_id, sum(size) from attachments group by project_id;

create function add_project_storage() returns trigger language plpgsql as $$
begin
  insert into project_storage as s (project_id, bytes)
  select project_id, sum(size) from added group by project_id order by project_id
  on conflict (project_id) do update set bytes = s.bytes + excluded.bytes;
  return null;
end $$;
create function subtract_project_storage() returns trigger language plpgsql as $$
begin
  update project_storage s set bytes = s.bytes - r.bytes
  from (select project_id, sum(size) as bytes from gone group by project_id) r where s.project_id = r.project_id;
  return null;
end $$;
create trigger add_project_storage after insert on attachments
  referencing new table as added for each statement execute function add_project_storage();
create trigger subtract_project_storage after delete on attachments
  referencing old table as gone for each statement execute function subtract_project_storage();

-- How many open error groups each project has, how many of these have regressed, and how many open issues: the sums of the project's
-- rows. Transactions only add rows with differences, because they would wait for each other if they changed a row. A job combines the
-- rows. There is no foreign key, because deleting a project also adds rows; then its sums are 0, and the job leaves no row.
create table open_counts (
  project_id bigint not null,
  open_errors integer not null default 0,
  regressed_errors integer not null default 0,
  open_issues integer not null default 0
);
create index open_counts_project_id on open_counts (project_id);

create function count_open_errors() returns trigger language plpgsql as $$
declare
  one integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  -- Most statements that store events insert no group. This takes half the time of an insert without rows.
  if exists (select from changed where status = 0) then
    insert into open_counts (project_id, open_errors, regressed_errors)
    select project_id, one * count(*), one * count(regressed_at)
    from changed where status = 0 group by project_id;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on error_groups
  referencing new table as changed for each statement execute function count_open_errors();
create trigger count_deleted after delete on error_groups
  referencing old table as changed for each statement execute function count_open_errors();

-- For each row, because a transition table would contain every row that a statement updates, and events hardly ever change these columns.
create function count_changed_error() returns trigger language plpgsql as $$
begin
  insert into open_counts (project_id, open_errors, regressed_errors) values (
    new.project_id,
    (new.status = 0)::integer - (old.status = 0)::integer,
    (new.status = 0 and new.regressed_at is not null)::integer - (old.status = 0 and old.regressed_at is not null)::integer);
  return null;
end $$;
create trigger count_updated after update of status, regressed_at on error_groups for each row
  when ((old.status = 0) <> (new.status = 0)
    or (old.status = 0 and old.regressed_at is not null) <> (new.status = 0 and new.regressed_at is not null))
  execute function count_changed_error();

create function count_open_issues() returns trigger language plpgsql as $$
declare
  one integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into open_counts (project_id, open_issues)
  select project_id, one * count(*) from changed where closed_at is null group by project_id;
  return null;
end $$;
create trigger count_inserted after insert on issues
  referencing new table as changed for each statement execute function count_open_issues();
create trigger count_deleted after delete on issues
  referencing old table as changed for each statement execute function count_open_issues();

create function count_changed_issue() returns trigger language plpgsql as $$
begin
  insert into open_counts (project_id, open_issues) values (new.project_id, case when new.closed_at is null then 1 else -1 end);
  return null;
end $$;
create trigger count_updated after update of closed_at on issues for each row
  when ((old.closed_at is null) <> (new.closed_at is null))
  execute function count_changed_issue();

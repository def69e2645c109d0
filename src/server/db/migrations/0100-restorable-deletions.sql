-- A deleted project or workspace can be restored until then; only afterwards does the job delete its rows. Null: not restorable.
alter table deletions add column restorable_until timestamptz;

-- The rows that gave access to it, as they were. They are deleted from their own tables at once, so that no query has to leave them out.
create table deleted_access (
  deletion_id bigint not null references deletions on delete cascade,
  table_name text not null,
  content jsonb not null
);
create index deleted_access_deletion_id on deleted_access (deletion_id, table_name);

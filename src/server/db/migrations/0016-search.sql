-- The search columns of issues, for three more tables. Words are runs of letters and digits, independent of language.
alter table epics add column words tsvector not null generated always as (to_tsvector('simple', translate(
  title || ' ' || coalesce(description, ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~–—‘’“”„…«»·•¡¿', repeat(' ', 46)))) stored;
alter table reports add column words tsvector not null generated always as (to_tsvector('simple', translate(
  title || ' ' || description, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~–—‘’“”„…«»·•¡¿', repeat(' ', 46)))) stored;
alter table comments add column words tsvector not null generated always as (to_tsvector('simple', translate(
  content, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~–—‘’“”„…«»·•¡¿', repeat(' ', 46)))) stored;
create index epics_words on epics using gin (words);
create index reports_words on reports using gin (words);
create index comments_words on comments using gin (words);

-- For substring search of class names. A trusted extension: the database's owner may create it (since PostgreSQL 13).
create extension if not exists pg_trgm;

-- The exception class of each group. In its own table because every event updates the group's row, which must not carry
-- such an index; rows here are written once. The pending list is short because the insert that fills it flushes it.
create table error_group_classes (
  group_id bigint primary key references error_groups on delete cascade,
  project_id bigint not null,
  exception_class text not null
);
create index error_group_classes_trigrams on error_group_classes
  using gin (exception_class gin_trgm_ops) with (gin_pending_list_limit = 256);
insert into error_group_classes select id, project_id, exception_class from error_groups;

create function note_error_group_class() returns trigger language plpgsql as $$
begin
  insert into error_group_classes values (new.id, new.project_id, new.exception_class);
  return null;
end $$;
-- Repeated events update the group and do not fire this trigger.
create trigger note_error_group_class after insert on error_groups
  for each row execute function note_error_group_class();

-- Issues that contain all the words, in no order. The planner assumes that words are independent: for two common words
-- that never occur together it would scan all issues and expect to finish early. This function only allows the index of
-- words.
create function issues_with_words(projects bigint[], query tsquery, most integer) returns setof bigint
  language sql stable parallel safe rows 1000
  set enable_seqscan = off
  set enable_indexscan = off
as $$
  select id from issues where words @@ query and project_id = any(projects) limit most
$$;

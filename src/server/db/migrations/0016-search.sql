-- Search reads the words of issues as their list does. These three get the same column: words are runs of letters and
-- digits, in no language.
alter table epics add column words tsvector not null generated always as (to_tsvector('simple', translate(
  title || ' ' || coalesce(description, ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~–—‘’“”„…«»·•¡¿', repeat(' ', 46)))) stored;
alter table reports add column words tsvector not null generated always as (to_tsvector('simple', translate(
  title || ' ' || description, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~–—‘’“”„…«»·•¡¿', repeat(' ', 46)))) stored;
alter table comments add column words tsvector not null generated always as (to_tsvector('simple', translate(
  content, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~–—‘’“”„…«»·•¡¿', repeat(' ', 46)))) stored;
create index epics_words on epics using gin (words);
create index reports_words on reports using gin (words);
create index comments_words on comments using gin (words);

-- Class names are found by any part of them. An extension that the owner of a database may create (PostgreSQL 13).
create extension if not exists pg_trgm;

-- The class of each group, beside it: a group's row is written by every event and must not carry such an index. The
-- class never changes, so a row here is written once. The list of pending entries is short: the event that fills it
-- clears it.
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
-- A repeat of a group is an update, which fires nothing.
create trigger note_error_group_class after insert on error_groups
  for each row execute function note_error_group_class();

-- Issues that have several words, in no order. The planner takes words for independent of each other: for two common
-- ones that never meet it would walk all issues, expecting to be done soon. Here it only may read the index of words.
create function issues_with_words(projects bigint[], query tsquery, most integer) returns setof bigint
  language sql stable parallel safe rows 1000
  set enable_seqscan = off
  set enable_indexscan = off
as $$
  select id from issues where words @@ query and project_id = any(projects) limit most
$$;

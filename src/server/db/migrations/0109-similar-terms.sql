-- What similar reports, issues and errors are found by. Lists of integers, each the hash of a project and a term, so that an index
-- finds the terms of one project. In tables of their own, because a moved issue or a repeated event must not write such an index.

-- Without case, accents and ligatures; ß becomes ss.
create function fold_text(value text) returns text
  language sql immutable strict parallel safe
  return lower(regexp_replace(normalize(
    translate(replace(replace(replace(replace(replace(value, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'),
      'øØłŁđĐı', 'oolldd' || 'i'), nfkd), '[\u0300-\u036f]', '', 'g'));

-- The words of a text, as the column `words` of other tables splits them.
create function folded_words(value text) returns text[]
  language sql immutable strict parallel safe
  return array_remove(regexp_split_to_array(fold_text(value), E'[\\s!-/:-@[-`{-~–—‘’“”„…«»·•¡¿]+'), '');

-- Positive: the trigrams and neighbors among the words of the title. Negative: the words of title and text. Short words are in almost
-- every text, so they only count as neighbors.
create function similar_terms(project bigint, title text, content text) returns integer[]
  language sql immutable parallel safe
as $$
  with title_words as materialized (
    select word, n, lag(word, 1, '') over (order by n) as before
    from unnest((folded_words(left(title, 255)))[:40]) with ordinality as w (word, n)
  )
  select coalesce(array_agg(distinct term), '{}') from (
    select hashtext(project || '~' || substr('  ' || word || ' ', at, 3)) & 2147483647
    from title_words, generate_series(1, length(word) + 1) at where length(word) > 3
    union all
    select hashtext(project || '&' || before || ' ' || word) & 2147483647 from title_words
    union all
    (select hashtext(project || '&' || word || ' ') & 2147483647 from title_words order by n desc limit 1)
    union all
    select -1 - (hashtext(project || '=' || word) & 2147483647)
    from unnest((folded_words(left(title, 255) || ' ' || left(content, 2000)))[:400]) word where length(word) > 2
  ) terms (term)
$$;

create table report_terms (
  report_id bigint primary key references reports on delete cascade,
  project_id bigint not null,
  terms integer[] not null
);
create table issue_terms (
  issue_id bigint primary key references issues on delete cascade,
  project_id bigint not null,
  terms integer[] not null
);
create table error_group_terms (
  group_id bigint primary key references error_groups on delete cascade,
  project_id bigint not null,
  terms integer[] not null
);
create index report_terms_terms on report_terms using gin (terms) with (gin_pending_list_limit = 256);
create index issue_terms_terms on issue_terms using gin (terms) with (gin_pending_list_limit = 256);
create index error_group_terms_terms on error_group_terms using gin (terms) with (gin_pending_list_limit = 256);

-- Reports and issues whose terms are to be written. That takes about a millisecond each, so a change does not wait for it.
create table changed_texts (
  kind text not null,
  id bigint not null,
  primary key (kind, id)
);

create function note_new_texts() returns trigger language plpgsql as $$
begin
  insert into changed_texts select tg_argv[0], id from added on conflict do nothing;
  return null;
end $$;
create function note_changed_text() returns trigger language plpgsql as $$
begin
  insert into changed_texts values (tg_argv[0], new.id) on conflict do nothing;
  return null;
end $$;
-- A job writes messages a moment after events, so storing an event writes nothing here.
create function note_error_group_terms() returns trigger language plpgsql as $$
begin
  insert into error_group_terms
  select new.group_id, new.project_id, similar_terms(new.project_id, exception_class || ' ' || new.message, '')
  from error_groups where id = new.group_id
  on conflict (group_id) do update set terms = excluded.terms;
  return null;
end $$;

-- Texts from before this migration. A job reads those after `after_id` in batches and deletes the row at the end.
create table terms_backfills (
  kind text primary key,
  after_id bigint not null,
  last_id bigint not null
);

create trigger note_new_texts after insert on reports referencing new table as added
  for each statement execute function note_new_texts('report');
create trigger note_changed_text after update of title, description on reports
  for each row execute function note_changed_text('report');
create trigger note_new_texts after insert on issues referencing new table as added
  for each statement execute function note_new_texts('issue');
create trigger note_changed_text after update of title, description on issues
  for each row execute function note_changed_text('issue');
create trigger note_error_group_terms after insert or update of message on error_group_messages
  for each row execute function note_error_group_terms();

insert into terms_backfills
select kind, 0, last_id from (
  select 'report', max(id) from reports union all
  select 'issue', max(id) from issues union all
  select 'error_group', max(group_id) from error_group_messages
) latest (kind, last_id) where last_id is not null;

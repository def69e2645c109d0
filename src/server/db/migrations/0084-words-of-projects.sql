-- The words of an issue with its project in front, such as '12:import'. The index of the next migration finds the words of one project
-- without reading the entries of all others. A word may have 2,046 bytes, so long ones are cut to make room for the project; a query has
-- at most 255 characters.
create function words_of_project(project bigint, words tsvector) returns tsvector
  language sql immutable parallel safe
as $$
  select array_to_tsvector(array(select project || ':' || left(lexeme, 400) from unnest(words)));
$$;

-- The query for these words. Phrases become single words, so some of the rows that match have to be left out afterwards.
create function query_of_project(project bigint, query tsquery) returns tsquery
  language sql immutable parallel safe
as $$
  select regexp_replace(
    regexp_replace(query::text, '<(-|\d+)>', '&', 'g'), '''((?:[^'']|'''')*)''', '''' || project || ':\1''', 'g')::tsquery;
$$;

-- Without these settings, PostgreSQL would compute the words of all issues of the projects for a query that it believes to be common.
create function issues_of_projects_with_words(projects bigint[], query tsquery) returns setof bigint
  language sql stable parallel safe rows 100
  set enable_seqscan = off
  set enable_indexscan = off
  set work_mem = '32MB'
as $$
  select found.id from unnest(projects) as project (id) cross join lateral (
    select i.id from issues i
    where words_of_project(i.project_id, i.words) @@ query_of_project(project.id, query)
      and case when i.words @@ query then true else false end
  ) found;
$$;

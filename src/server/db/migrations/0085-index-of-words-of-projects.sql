-- Without a transaction. Repeatable.
drop index concurrently if exists issues_words_of_project;
-- Each search reads the list of new entries once for each project, so it has to be short.
create index concurrently issues_words_of_project on issues
  using gin (words_of_project(project_id, words)) with (gin_pending_list_limit = 128);
-- Only used by the function, whose settings leave no choice, so statistics would be computed in vain.
alter index issues_words_of_project alter column 1 set statistics 0;

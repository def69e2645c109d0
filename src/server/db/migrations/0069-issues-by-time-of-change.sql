-- The issues that changed last, and those that are due first, of many projects. Without these indexes, PostgreSQL reads and sorts all
-- issues of all of them. Most changes of an issue write index entries anyway.
create index issues_updated_at on issues (project_id, updated_at, id);
create index issues_due_on on issues (project_id, (coalesce(due_on, 'infinity'::date)), id);

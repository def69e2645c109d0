-- Search within a small project reads only that project's rows, even if a word occurs half a million times elsewhere.
-- Issues, epics, reports and groups already have such an index.
create index comments_project_id on comments (project_id, id);
create index error_group_classes_project_id on error_group_classes (project_id, group_id);

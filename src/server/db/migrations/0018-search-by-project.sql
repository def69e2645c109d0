-- A word that another workspace has half a million times: who may read a small project only is answered from that
-- project's rows. Issues, epics, reports and groups have such an index already.
create index comments_project_id on comments (project_id, id);
create index error_group_classes_project_id on error_group_classes (project_id, group_id);

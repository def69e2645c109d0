-- Replaces the index of all projects, in which a list walked past the groups of all others.
drop index error_group_counts_by_users;
update error_group_counts c set project_id = g.project_id from error_groups g where g.id = c.group_id and c.project_id is null;
create index error_group_counts_of_project on error_group_counts (project_id, users desc, group_id desc);

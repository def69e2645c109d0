-- What someone has created, been assigned or written in a project.
create index issues_of_assignee on issues (assignee_id, project_id);
drop index issues_assignee_id;
create index issues_of_creator on issues (created_by, project_id);
create index comments_of_user on comments (user_id, project_id);
drop index comments_user_id;

-- Without a transaction. Repeatable.
-- The latest entries about new errors of a project in a user's inbox.
drop index concurrently if exists notifications_new_errors;
create index concurrently notifications_new_errors on notifications (user_id, project_id, id) where type = 10;

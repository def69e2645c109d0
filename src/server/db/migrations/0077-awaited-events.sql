-- The latest ids of events that reports wait for are read once a second while events arrive. Some of these events never come, so that
-- the reports become many.
drop index reports_without_group;
create index reports_without_group on reports (project_id, id) where error_event_id is not null and error_group_id is null;

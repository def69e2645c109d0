-- Files that were added to the description of an issue before the issue is created. Only the person who added one can read
-- it, until the issue takes it over. Neither constraint is validated, because all rows satisfied stricter ones.
alter table attachments
  drop constraint attachments_check,
  add constraint attachments_check check (
    num_nonnulls(report_id, issue_id, epic_id, error_group_id) = 1
    or (num_nonnulls(report_id, issue_id, epic_id, error_group_id, comment_id) = 0 and user_id is not null)
  ) not valid,
  add foreign key (project_id) references projects on delete cascade not valid;
create index attachments_of_drafts on attachments (project_id, created_at)
  where num_nonnulls(report_id, issue_id, epic_id, error_group_id) = 0;

-- Attachments of issues, epics and comments. An attachment of a comment also has the comment's issue or epic, so that its
-- address stays the same when a file that was added to the issue while writing becomes part of the comment.
alter table attachments
  alter column report_id drop not null,
  add column issue_id bigint,
  add column epic_id bigint,
  add column comment_id bigint references comments on delete cascade,
  add foreign key (project_id, issue_id) references issues (project_id, id) on delete cascade,
  add foreign key (project_id, epic_id) references epics (project_id, id) on delete cascade,
  add check (num_nonnulls(report_id, issue_id, epic_id) = 1),
  add check (comment_id is null or report_id is null);
create index attachments_issue_id on attachments (issue_id, id) where issue_id is not null;
create index attachments_epic_id on attachments (epic_id, id) where epic_id is not null;
create index attachments_comment_id on attachments (comment_id, id) where comment_id is not null;

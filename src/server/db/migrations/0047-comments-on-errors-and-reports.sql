-- Comments on error groups and reports, with the same threads as those on issues and epics, and their attachments.
alter table comments
  add column error_group_id bigint references error_groups on delete cascade,
  add column report_id bigint,
  drop constraint comments_check,
  add check (num_nonnulls(issue_id, epic_id, error_group_id, report_id) = 1),
  add unique (error_group_id, root_id),
  add unique (report_id, root_id),
  add foreign key (project_id, report_id) references reports (project_id, id) on delete cascade,
  add foreign key (error_group_id, parent_id) references comments (error_group_id, root_id) on delete cascade,
  add foreign key (report_id, parent_id) references comments (report_id, root_id) on delete cascade;
create unique index comments_pinned_of_error_group on comments (error_group_id)
  where is_pinned and error_group_id is not null;
create unique index comments_pinned_of_report on comments (report_id) where is_pinned and report_id is not null;

alter table attachments
  add column error_group_id bigint references error_groups on delete cascade,
  drop constraint attachments_check,
  drop constraint attachments_check1,
  add check (num_nonnulls(report_id, issue_id, epic_id, error_group_id) = 1);
create index attachments_error_group_id on attachments (error_group_id, id) where error_group_id is not null;

-- The error group that an entry is about, and the title of a group or report and the message of a group when the entry was
-- created. Like the other names, they keep an entry readable after the thing is deleted. The check is not validated,
-- because all rows satisfied a stricter one.
alter table notifications
  add column error_group_id bigint,
  add column thing_title text,
  add column thing_text text,
  drop constraint notifications_type_check,
  add constraint notifications_type_check check (type between 1 and 18) not valid;

-- Due dates, sub-issues, duplicates and relations without a direction. All columns start empty.
alter table issues
  add column due_on date,
  add column parent_id bigint check (parent_id <> id),
  add column duplicate_of_id bigint check (duplicate_of_id <> id),
  add foreign key (project_id, parent_id) references issues (project_id, id) on delete set null (parent_id),
  add foreign key (project_id, duplicate_of_id) references issues (project_id, id) on delete set null (duplicate_of_id);
create index issues_parent_id on issues (parent_id) where parent_id is not null;
create index issues_duplicate_of_id on issues (duplicate_of_id) where duplicate_of_id is not null;

-- Each relation has two rows, one for each direction, so that one index finds the relations of an issue.
create table issue_relations (
  project_id bigint not null,
  issue_id bigint not null,
  other_id bigint not null check (other_id <> issue_id),
  primary key (issue_id, other_id),
  foreign key (project_id, issue_id) references issues (project_id, id) on delete cascade,
  foreign key (project_id, other_id) references issues (project_id, id) on delete cascade
);
create index issue_relations_other_id on issue_relations (other_id);

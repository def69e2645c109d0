-- Comments on issues and epics. A reply refers to a root comment of the same issue or epic. The keys enforce this:
-- `root_id` is set only for root comments, so a reply cannot refer to another reply.
create table comments (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  issue_id bigint,
  epic_id bigint,
  parent_id bigint,
  root_id bigint generated always as (case when parent_id is null then id end) stored,
  user_id bigint not null references users,
  content text not null,
  is_pinned boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(issue_id, epic_id) = 1),
  -- These indexes also give the order in which an issue's or epic's root comments are read.
  unique (issue_id, root_id),
  unique (epic_id, root_id),
  foreign key (project_id, issue_id) references issues (project_id, id) on delete cascade,
  foreign key (project_id, epic_id) references epics (project_id, id) on delete cascade,
  foreign key (issue_id, parent_id) references comments (issue_id, root_id) on delete cascade,
  foreign key (epic_id, parent_id) references comments (epic_id, root_id) on delete cascade
);
create index comments_parent_id on comments (parent_id, id) where parent_id is not null;
create index comments_user_id on comments (user_id);
-- At most one pinned comment per issue or epic, even under concurrent requests.
create unique index comments_pinned_of_issue on comments (issue_id) where is_pinned and issue_id is not null;
create unique index comments_pinned_of_epic on comments (epic_id) where is_pinned and epic_id is not null;

create table comment_likes (
  comment_id bigint not null references comments on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (comment_id, user_id)
);
create index comment_likes_user_id on comment_likes (user_id);

-- The number in an issue's key such as WEB-12. The counter is in the project's row, so that no number is used twice or
-- skipped, even after issues are deleted.
alter table projects add column last_issue_number integer not null default 0;

create table sprints (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  goal text,
  starts_on date,
  ends_on date check (ends_on >= starts_on),
  state text not null default 'planned' check (state in ('planned', 'active', 'closed')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, id)
);

create table epics (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  title text not null,
  description text,
  state text not null default 'open' check (state in ('open', 'done')),
  starts_on date,
  ends_on date check (ends_on >= starts_on),
  created_by bigint references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, id)
);

create table labels (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null default clock_timestamp(),
  unique (project_id, id)
);
create unique index labels_name_key on labels (project_id, lower(name));

-- Writers hold the project's lock (lockProject). The composite keys reject references to other projects.
create table issues (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  number integer not null,
  title text not null,
  description text,
  type smallint not null check (type in (0, 1)),
  priority smallint not null check (priority between 0 and 4),
  lane_id bigint not null,
  rank text collate "C" not null,
  assignee_id bigint references users on delete set null,
  created_by bigint references users on delete set null,
  sprint_id bigint,
  epic_id bigint,
  estimated_minutes integer check (estimated_minutes >= 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  -- Words are runs of letters and digits. PostgreSQL's parser would treat paths, hosts and hyphenated words as single
  -- words.
  words tsvector not null generated always as (to_tsvector('simple', translate(
    title || ' ' || coalesce(description, ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~–—‘’“”„…«»·•¡¿', repeat(' ', 46)))) stored,
  unique (project_id, id),
  unique (project_id, number),
  foreign key (project_id, lane_id) references lanes (project_id, id),
  foreign key (project_id, sprint_id) references sprints (project_id, id) on delete set null (sprint_id),
  foreign key (project_id, epic_id) references epics (project_id, id) on delete set null (epic_id)
);
-- Ranks have no length limit but btree keys do: the first index sorts by a prefix, the second makes the hash unique. The
-- third finds the few lanes whose ranks have grown long.
create index issues_order on issues (lane_id, left(rank, 64));
create unique index issues_rank_key on issues (lane_id, md5(rank));
create index issues_long_ranks on issues (lane_id) where length(rank) > 200;
create index issues_created_at on issues (project_id, created_at, id);
create index issues_assignee_id on issues (assignee_id);
create index issues_sprint_id on issues (sprint_id);
create index issues_epic_id on issues (epic_id);
create index issues_words on issues using gin (words);

create table issue_labels (
  project_id bigint not null,
  issue_id bigint not null,
  label_id bigint not null,
  primary key (issue_id, label_id),
  foreign key (project_id, issue_id) references issues (project_id, id) on delete cascade,
  foreign key (project_id, label_id) references labels (project_id, id) on delete cascade
);
create index issue_labels_label_id on issue_labels (label_id);

-- `blocker_id` has to be done before `blocked_id`.
create table issue_blocks (
  project_id bigint not null,
  blocker_id bigint not null,
  blocked_id bigint not null check (blocked_id <> blocker_id),
  primary key (blocker_id, blocked_id),
  foreign key (project_id, blocker_id) references issues (project_id, id) on delete cascade,
  foreign key (project_id, blocked_id) references issues (project_id, id) on delete cascade
);
create index issue_blocks_blocked_id on issue_blocks (blocked_id);

create table issue_watchers (
  issue_id bigint not null references issues on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (issue_id, user_id)
);
create index issue_watchers_user_id on issue_watchers (user_id);

-- The history of an issue. `kind` is the changed field, or `created`.
create table issue_activity (
  id bigint generated always as identity primary key,
  issue_id bigint not null references issues on delete cascade,
  actor_id bigint references users on delete set null,
  kind text not null,
  "from" jsonb,
  "to" jsonb,
  created_at timestamptz not null default clock_timestamp()
);
create index issue_activity_issue_id on issue_activity (issue_id, id);

-- The issue a group was promoted to. Set back to null when the issue is deleted.
alter table error_groups add foreign key (project_id, linked_issue_id)
  references issues (project_id, id) on delete set null (linked_issue_id);
create unique index error_groups_linked_issue_id on error_groups (linked_issue_id)
  where linked_issue_id is not null;

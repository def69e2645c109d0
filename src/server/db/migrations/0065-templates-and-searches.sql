-- What new issues of a project can start with. Writers hold the project's lock.
create table issue_templates (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  title text,
  description text,
  type smallint not null check (type in (0, 1)),
  priority smallint not null check (priority between 0 and 4),
  -- Null for the project's first lane.
  lane_id bigint,
  -- The template that the new-issue dialog starts with.
  is_default boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  unique (project_id, id),
  foreign key (project_id, lane_id) references lanes (project_id, id) on delete set null (lane_id)
);
create unique index issue_templates_name on issue_templates (project_id, lower(name));
create unique index issue_templates_default on issue_templates (project_id) where is_default;
create index issue_templates_lane_id on issue_templates (lane_id);

create table issue_template_labels (
  project_id bigint not null,
  template_id bigint not null,
  label_id bigint not null,
  primary key (template_id, label_id),
  foreign key (project_id, template_id) references issue_templates (project_id, id) on delete cascade,
  foreign key (project_id, label_id) references labels (project_id, id) on delete cascade
);
create index issue_template_labels_label_id on issue_template_labels (label_id);

-- A search can be saved too, within a project or across all projects.
alter table saved_views
  drop constraint saved_views_page_check,
  drop constraint saved_views_check,
  add constraint saved_views_page_check check (page in
    ('my-issues', 'all-errors', 'search', 'issues', 'board', 'errors', 'triage', 'epics', 'issue', 'epic')),
  add constraint saved_views_check check
    (page = 'search' or (project_id is null) = (page in ('my-issues', 'all-errors')));

-- How much a team plans for a sprint: issues or minutes, whichever it counts in. Each may be unknown.
alter table sprints
  add column capacity_issues integer check (capacity_issues >= 0),
  add column capacity_minutes integer check (capacity_minutes >= 0);

alter table projects
  -- When ship_tells_reporters was turned on. Nobody is notified of what was released before.
  add column ship_tells_since timestamptz not null default now();

alter table reports
  -- When it was noticed that the report's issue is done and released, which notifies the creator once.
  add column released_at timestamptz;
-- The reports whose release is still to be noticed.
create index reports_unreleased on reports (project_id, promoted_issue_id)
  where promoted_issue_id is not null and created_by is not null and released_at is null;

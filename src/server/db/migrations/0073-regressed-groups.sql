-- Groups that came back within a day, whatever their status is now, are first in the order by impact.
create index error_groups_regressed on error_groups (project_id, regressed_at) where regressed_at is not null;

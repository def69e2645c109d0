-- The board warns when a lane has more issues than this. Nothing rejects them.
alter table lanes add column wip_limit smallint check (wip_limit > 0);

-- The seconds by which `second` is ahead of the database's clock, so that it never goes back when the clock does.
alter table rate_limits add column clock_offset bigint not null default 0;

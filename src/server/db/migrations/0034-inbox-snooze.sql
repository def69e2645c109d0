-- A snoozed entry is hidden and does not count until this time. No job wakes it: every query compares it with the clock.
alter table notifications add column snoozed_until timestamptz;

-- The report or epic that an entry is about, so that entries about the same thing form one group. No foreign keys, like
-- the other columns: the entry remains after the thing is deleted. Entries from before have none.
alter table notifications add column report_id bigint;
alter table notifications add column epic_id bigint;

-- Empty when it is created. Finds the next entry of a user that will return.
create index notifications_snoozed on notifications (user_id, snoozed_until) where snoozed_until is not null;

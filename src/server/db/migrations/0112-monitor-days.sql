-- Without a transaction. Repeatable.
-- Whether a monitor has a check-in with a status on a day.
drop index concurrently if exists monitor_check_ins_status;
create index concurrently monitor_check_ins_status on monitor_check_ins (monitor_id, status, started_at);

-- Without a transaction. Repeatable.
-- A check-in finds the one that runs without reading the others of its environment.
drop index concurrently if exists monitor_check_ins_running_of_environment;
create index concurrently monitor_check_ins_running_of_environment on monitor_check_ins (environment_id, id)
  where times_out_at is not null;

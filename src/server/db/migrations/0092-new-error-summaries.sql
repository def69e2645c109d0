-- The number of new errors that an entry stands for; null for an entry about a single one.
alter table notifications add column error_count int;

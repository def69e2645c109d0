-- With the group, because many groups have the same number of users: a list would read and sort all of these.
create index error_group_counts_by_users on error_group_counts (users desc, group_id desc);
drop index error_group_counts_users;

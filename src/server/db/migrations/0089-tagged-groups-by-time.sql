-- Without a transaction. Repeatable.
-- Equal entries share their key, so this takes much less space than the primary key.
drop index concurrently if exists error_group_tags_recent;
create index concurrently error_group_tags_recent on error_group_tags (tag_hash, seen_before desc);

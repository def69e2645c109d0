-- What was changed, for those who watch live. Kept for minutes; a reader takes what its last snapshot did not see.
create table changes (
  id bigint generated always as identity primary key,
  -- Ids are given before a transaction commits, so they say nothing of the order in which changes appear.
  transaction xid8 not null default pg_current_xact_id(),
  kind text not null,
  -- No foreign keys: a deletion is a change, too.
  project_id bigint,
  target_id bigint not null,
  commentable_type text,
  commentable_id bigint,
  user_id bigint,
  created_at timestamptz not null default clock_timestamp()
);
create index changes_transaction on changes (transaction);

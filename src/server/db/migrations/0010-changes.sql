-- Changes for live updates, kept for minutes. A reader takes those that its last snapshot did not include.
create table changes (
  id bigint generated always as identity primary key,
  -- Ids are assigned before commit, so they do not tell the order in which changes become visible.
  transaction xid8 not null default pg_current_xact_id(),
  kind text not null,
  -- No foreign keys: a deletion is a change as well.
  project_id bigint,
  target_id bigint not null,
  commentable_type text,
  commentable_id bigint,
  user_id bigint,
  created_at timestamptz not null default clock_timestamp()
);
create index changes_transaction on changes (transaction);

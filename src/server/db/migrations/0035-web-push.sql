-- The key pair that identifies this installation to push services, created on first use. One row.
create table push_keys (
  id boolean primary key default true check (id),
  public_key text not null,
  -- PKCS#8, like the secrets of second factors readable to whoever reads the database.
  private_key text not null
);

-- A browser that shows new inbox entries. It belongs to the session that turned this on, and ends with it.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  session_hash bytea not null references sessions on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index push_subscriptions_user_id on push_subscriptions (user_id);
create index push_subscriptions_session_hash on push_subscriptions (session_hash);

-- Messages that wait to be sent. A sender leases a due row by moving due_at forward, as for emails.
create table push_messages (
  id bigint generated always as identity primary key,
  subscription_id bigint not null references push_subscriptions on delete cascade,
  title text not null,
  path text not null,
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp()
);
create index push_messages_due on push_messages (due_at);
create index push_messages_subscription_id on push_messages (subscription_id);

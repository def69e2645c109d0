-- The responses to requests with an Idempotency-Key, for 24 hours. Inserted in the transaction of the request, so a key
-- exists if and only if its request took effect. The response is encrypted with a key that only the client can repeat.
create table idempotency_keys (
  key_hash bytea primary key,
  request_hash bytea not null,
  answer bytea,
  created_at timestamptz not null default clock_timestamp()
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

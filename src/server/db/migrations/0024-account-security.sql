-- When the password was last set. A password reset revokes the personal tokens made since: whoever knew the password may
-- have made them.
alter table users add column password_set_at timestamptz not null default clock_timestamp();
update users u set password_set_at = coalesce(
  (select max(e.created_at) from audit_events e
   where e.kind in ('password.changed', 'password.reset') and e.subject_type = 'user' and e.subject_id = u.id),
  u.created_at
);

-- Wrong codes since the last valid one, and when the last one was entered: too many pause the entry of codes.
alter table second_factors
  add column wrong_codes integer not null default 0,
  add column wrong_code_at timestamptz;

-- The browsers in which a user has signed in, by the hash of a random cookie. Signing in with another one sends an email.
create table known_devices (
  user_id bigint not null references users on delete cascade,
  device_hash bytea not null,
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (user_id, device_hash)
);
create index known_devices_last_used_at on known_devices (last_used_at);

-- Counts the invitations that were emailed to an address in the last day.
create index mails_address on mails (fold_case(address), created_at) where address is not null;

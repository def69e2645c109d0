-- The address that a user has to confirm with an emailed link: a new one, or their unverified one. Only the SHA-256 of the
-- link's token is stored. The row of an expired link stays, so that the profile can offer another link.
create table address_confirmations (
  user_id bigint primary key references users on delete cascade,
  email text not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Set when a user without a password signs in again at the identity provider, to confirm a change: the session that may do so.
alter table oidc_attempts add column confirming_session bytea;

-- When the identity provider last authenticated the user at the session's request.
alter table sessions add column provider_authenticated_at timestamptz;

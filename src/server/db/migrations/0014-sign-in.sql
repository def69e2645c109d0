-- A time-based second factor, one secret per account. It is inactive until its first code sets confirmed_at. last_step
-- is the time step of the last used code, so that each code works once.
create table second_factors (
  user_id bigint primary key references users on delete cascade,
  secret text not null,
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

-- Recovery codes, each usable once. 80 random bits; only their SHA-256 is stored.
create table recovery_codes (
  user_id bigint not null references second_factors on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- An account's identity at an identity provider. The email address is the provider's latest, for display only.
create table identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  issuer text not null,
  subject text not null,
  email text,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (issuer, subject)
);
create index identities_user_id on identities (user_id);

-- A sign-in at the identity provider in progress. The browser's cookie holds the secret.
create table oidc_attempts (
  secret_hash bytea primary key,
  state_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  -- Set when a signed-in user links an identity: the session that may complete it.
  linking_session bytea,
  expires_at timestamptz not null
);
create index oidc_attempts_expires_at on oidc_attempts (expires_at);

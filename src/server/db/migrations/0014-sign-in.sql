-- A time-based second factor: one secret per account. It waits for its first code until confirmed_at is set; last_step
-- is the time step of the last code used, so that each is good once.
create table second_factors (
  user_id bigint primary key references users on delete cascade,
  secret text not null,
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

-- Stand in for a code, once each. 80 random bits; only their SHA-256 is here.
create table recovery_codes (
  user_id bigint not null references second_factors on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Who an account is at an identity provider. The address is what the provider said last, for people to read.
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

-- A browser on its way to the identity provider and back. Its cookie holds the secret.
create table oidc_attempts (
  secret_hash bytea primary key,
  state_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  -- Set when a signed-in person links an identity: the session that may finish it.
  linking_session bytea,
  expires_at timestamptz not null
);
create index oidc_attempts_expires_at on oidc_attempts (expires_at);

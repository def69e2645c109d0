-- OAuth 2.1. What a person grants to an app is a personal token with scopes, whose secrets are in tables of their own because there is
-- a new one every hour. `oauth_client_id` is the id of a registration or the address of a client's metadata document, and
-- `expires_at` is when the last refresh token expires.
alter table personal_tokens
  alter column token_hash drop not null,
  add column oauth_client_id text,
  add column oauth_redirect_host text,
  add constraint personal_tokens_oauth check (
    (token_hash is null) = (oauth_client_id is not null)
    and (oauth_client_id is null) = (oauth_redirect_host is null)
    and (oauth_client_id is null or scopes is not null and expires_at is not null)
  );

-- Clients that registered themselves.
create table oauth_clients (
  id text collate "C" primary key,
  name text not null,
  redirect_uris text[] not null,
  -- Where the registration came from, which limits their number. Null once someone has used it.
  address text,
  used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index oauth_clients_address on oauth_clients (address, created_at) where address is not null;
create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;

-- A used code is kept as long as its grant, which is revoked if the code comes again.
create table oauth_codes (
  code_hash bytea primary key,
  token_id bigint not null references personal_tokens on delete cascade,
  redirect_uri text not null,
  code_challenge text not null,
  resource text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_codes_token_id on oauth_codes (token_id);

create table oauth_access_tokens (
  token_hash bytea primary key,
  token_id bigint not null references personal_tokens on delete cascade,
  -- At most those of the grant.
  scopes text[] not null,
  expires_at timestamptz not null
);
create index oauth_access_tokens_token_id on oauth_access_tokens (token_id);
create index oauth_access_tokens_expires_at on oauth_access_tokens (expires_at);

-- A used refresh token is kept until it expires: the grant is revoked if it comes again.
create table oauth_refresh_tokens (
  token_hash bytea primary key,
  token_id bigint not null references personal_tokens on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_refresh_tokens_token_id on oauth_refresh_tokens (token_id);
create index oauth_refresh_tokens_expires_at on oauth_refresh_tokens (expires_at);

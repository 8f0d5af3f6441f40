create table vault.account (
  name text primary key,
  tenant_id text not null,
  -- Argon2id, as libsodium writes it.
  password_hash text not null,
  scopes text[] not null,
  created_at timestamptz not null
);

create table vault.login_failure (
  username text not null,
  address text not null,
  at timestamptz not null
);
create index login_failure_by_username on vault.login_failure (username, at);
create index login_failure_by_address on vault.login_failure (address, at);
create index login_failure_by_time on vault.login_failure (at);

-- Every token that was ever given out and may still be shown: what has no row is no token.
create table vault.token (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id text not null,
  account text not null references vault.account (name),
  kind text not null check (kind in ('access', 'refresh', 'api')),
  name text not null,
  scopes text[] not null,
  -- Null: all of the tenant.
  credential_ids uuid[],
  agent_did text,
  -- Tokens of one login; null for generated ones.
  family uuid,
  -- The generated token with which this one was generated.
  parent uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check ((family is null) = (kind = 'api'))
);
create index token_generated on vault.token (tenant_id, seq desc) where kind = 'api';
create index token_by_family on vault.token (family) where family is not null;
create index token_by_parent on vault.token (parent) where parent is not null;
create index token_by_expiry on vault.token (expires_at);

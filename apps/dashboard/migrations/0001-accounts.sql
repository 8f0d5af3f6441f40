-- Addresses are kept as EIP-55 text, so that two are the same account exactly when the texts are equal.

create table dashboard.account (
  id text primary key,
  wallet_address text not null unique,
  public_key text,
  created_at timestamptz not null
);

create table dashboard.login_nonce (
  nonce text primary key,
  expires_at timestamptz not null
);
create index login_nonce_by_expiry on dashboard.login_nonce (expires_at);

create table dashboard.session (
  id text primary key,
  account_id text not null references dashboard.account (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index session_by_expiry on dashboard.session (expires_at);

-- Signs session tokens. Every process reads the same one.
create table dashboard.signing_key (
  id text primary key,
  secret bytea not null,
  created_at timestamptz not null
);

-- An operator key has no account.
create table dashboard.api_key (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text references dashboard.account (id),
  name text not null,
  prefix text not null,
  sha256 bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_key_by_account on dashboard.api_key (account_id, seq desc);

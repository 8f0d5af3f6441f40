-- Somebody whom the OpenID Connect provider knows: the pair of issuer and subject names one person for ever, an e-mail
-- address does not. The person's row is there while the provider's groups give roles, and has the same id each time.
create table dashboard.provider_identity (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  issuer text not null,
  subject text not null,
  person_id text not null unique,
  name text not null,
  created_at timestamptz not null,
  -- Removed by somebody of the account: refused whatever the groups say, also after the account's erasure, which leaves them
  -- an empty name and a hash for the subject.
  shut_out_at timestamptz,
  unique (account_id, issuer, subject)
);

-- A browser that was led to the provider and is awaited back.
create table dashboard.provider_request (
  state_sha256 bytea primary key,
  browser_sha256 bytea not null,
  issuer text not null,
  redirect_uri text not null,
  expires_at timestamptz not null
);
create index provider_request_by_time on dashboard.provider_request (expires_at);

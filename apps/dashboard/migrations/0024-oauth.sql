-- What oidc-provider keeps: codes, tokens, grants, clients, requests that wait for consent. `id_hash` is SHA-256 of what the
-- client has, and `payload` does not repeat it: whoever reads this table can use nothing of it.
create table dashboard.oauth_record (
  kind text not null,
  id_hash bytea not null,
  grant_id text,
  payload jsonb not null,
  consumed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (kind, id_hash)
);
create index oauth_record_by_grant on dashboard.oauth_record (grant_id) where grant_id is not null;
create index oauth_record_by_expiry on dashboard.oauth_record (expires_at) where expires_at is not null;
create index oauth_client_by_age on dashboard.oauth_record (created_at) where kind = 'Client';

-- At which URL a gateway serves MCP for a wallet, as whoever has the account's API key says. Two accounts may name one URL:
-- a token says whose agent it is for, and the gateway knows its own.
create table dashboard.oauth_gateway (
  account_id text not null references dashboard.account (id),
  wallet text not null,
  resource text not null,
  announced_at timestamptz not null,
  primary key (account_id, wallet, resource)
);
create index oauth_gateway_by_resource on dashboard.oauth_gateway (resource);

-- A client that an owner let act as an agent. What is told of the client is the client's own word, as it was consented to.
create table dashboard.oauth_connection (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  agent_id text not null references dashboard.agent_wallet (id),
  grant_id text not null unique,
  client_id text not null,
  client_name text,
  verified_host text,
  returns_to text not null,
  resource text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index oauth_connection_by_account on dashboard.oauth_connection (account_id, seq desc);
create index oauth_connection_by_agent on dashboard.oauth_connection (agent_id);
create index oauth_connection_by_client on dashboard.oauth_connection (client_id) where revoked_at is null;

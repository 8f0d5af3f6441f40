-- Browser sessions as the vault knows them; the sessions themselves live in the enclave.
create table vault.session (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id text not null,
  -- Whose token opened it.
  account text not null references vault.account (name),
  token_id uuid not null,
  task text not null,
  allowed_urls text[] not null,
  credential_ids uuid[] not null,
  approval text not null,
  agent_did text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- 'opening': asked for, not answered. It is in no list.
  status text not null check (status in ('opening', 'active', 'paused', 'closed', 'expired')),
  isolation json,
  current_url text,
  closed_reason text,
  ended_at timestamptz,
  check ((status in ('closed', 'expired')) = (ended_at is not null))
);
create index session_by_tenant on vault.session (tenant_id, seq desc);
create index session_not_over on vault.session (id) where ended_at is null;
create index session_over on vault.session (ended_at) where ended_at is not null;

-- What agents asked for: a row is here before the enclave hears of it.
create table vault.operation (
  id uuid primary key,
  seq bigint generated always as identity,
  session_id uuid not null references vault.session (id) on delete cascade,
  -- The token that asked.
  token_id uuid not null,
  -- As the agent wrote it, with placeholders, and the credential that they mean.
  operation json not null,
  credential_id uuid,
  at timestamptz not null,
  -- Null: under way, or cut off and nobody has noticed so far.
  status text check (status in ('executed', 'rejected', 'pending_approval', 'failed')),
  -- Masked, and cut where it is long.
  result json,
  error json,
  review json,
  audit_id text,
  duration_ms double precision not null default 0,
  decided_by text
);
create index operation_by_session on vault.operation (session_id, seq desc);
create index operation_open on vault.operation (at) where status is null or status = 'pending_approval';

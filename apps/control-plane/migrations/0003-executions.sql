create table control_plane.connector (
  -- Never changes: whoever names a service anew gets another one.
  id uuid primary key,
  tenant_id text not null,
  service text not null,
  type text not null check (type in ('http', 'mcp-tool', 'browser', 'postgres')),
  credential_id uuid,
  safe_to_retry boolean not null,
  definition json not null,
  created_by text not null,
  created_at timestamptz not null,
  unique (tenant_id, service)
);

create table control_plane.batch (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id text not null,
  policy_id text not null,
  policy_version integer not null,
  user_id text,
  service text not null,
  action text not null,
  condition text,
  max_executions integer not null,
  used integer not null default 0 check (used <= max_executions),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_by text not null,
  created_by_key uuid not null,
  created_at timestamptz not null
);
create index batch_by_what on control_plane.batch (tenant_id, policy_id, service, action) where revoked_at is null;

create table control_plane.execution (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id text not null,
  -- Who asked, and under which key of theirs: the same again is the same execution.
  key_id uuid not null,
  created_by text not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  status text not null check (status in ('pending', 'pending_hitl', 'running', 'completed', 'failed', 'denied', 'expired',
    'cancelled', 'outcome_unknown')),
  mode text not null check (mode in ('sync', 'async')),
  user_id text not null,
  service text not null,
  action text not null,
  connector_id uuid not null,
  policy_id text not null,
  policy_version integer not null,
  policy_digest text not null,
  determining json not null,
  risk_tier text,
  -- Under the tenant's key: nobody reads params or results in the tables.
  params bytea not null,
  params_hash text not null,
  data bytea,
  -- What was answered at first, where that was not the end (202); under the tenant's key too.
  first_answer bytea,
  timeout_seconds integer not null,
  -- What is asked of people; null where nobody is.
  quorum integer,
  approvers text[],
  approval_expires_at timestamptz,
  batch_id uuid,
  -- Who runs it, until when that process is taken for alive.
  attempt integer not null default 0,
  lease uuid,
  lease_until timestamptz,
  jti uuid,
  token_exp timestamptz,
  token_spent_at timestamptz,
  problem json,
  proof json,
  audit_ref text not null,
  duration_ms integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (tenant_id, key_id, idempotency_key)
);
create index execution_by_tenant on control_plane.execution (tenant_id, seq desc);
create index execution_by_status on control_plane.execution (tenant_id, status, seq desc);
create index execution_running on control_plane.execution (lease_until) where status = 'running';

-- A token is spent by being here: the second insert fails, on whichever node.
create table control_plane.spent_token (
  jti uuid primary key,
  execution_id uuid not null references control_plane.execution,
  exp timestamptz not null
);

create table control_plane.decision (
  execution_id uuid not null references control_plane.execution,
  key_id uuid not null,
  approver text not null,
  decision text not null check (decision in ('approve', 'deny')),
  comment text,
  wallet text,
  signature text,
  at timestamptz not null,
  primary key (execution_id, key_id),
  unique (execution_id, wallet)
);

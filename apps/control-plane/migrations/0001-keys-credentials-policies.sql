create table control_plane.api_key (
  id uuid primary key,
  tenant_id text not null,
  role text not null check (role in ('admin', 'service', 'approver')),
  -- How people call it: approvers are named by it.
  name text not null,
  -- SHA-256 of the key's text, which nobody keeps.
  hash bytea not null unique,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create unique index api_key_by_name on control_plane.api_key (tenant_id, name) where revoked_at is null;

create table control_plane.policy (
  tenant_id text not null,
  policy_id text not null,
  version integer not null,
  name text not null,
  mode text not null check (mode in ('active', 'log_only')),
  cedar text not null,
  schema text,
  hitl json,
  digest text not null,
  signature text not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (tenant_id, policy_id, version)
);

create table control_plane.credential (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id text not null,
  namespace text not null,
  label text not null,
  kind text not null,
  sensitivity integer not null,
  rotation_policy json,
  tags json,
  policy_id text,
  fingerprint text not null,
  -- What the ciphertext is bound to besides tenant and id.
  service_id text not null,
  type text not null,
  version integer not null,
  -- What the enclave gave: which root, salt, nonce and AES-256-GCM ciphertext.
  root integer not null,
  salt bytea not null,
  nonce bytea not null,
  ciphertext bytea not null,
  created_by text not null,
  created_at timestamptz not null
);
create index credential_by_tenant on control_plane.credential (tenant_id, seq desc);
create index credential_by_root on control_plane.credential (root, id);

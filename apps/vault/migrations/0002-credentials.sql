create table vault.credential (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id text not null,
  service_id text not null,
  type text not null,
  version integer not null,
  label text,
  allowed_urls text[] not null,
  fill_mode text not null,
  metadata json,
  -- HMAC under a key of the tenant, made in the enclave.
  fingerprint text not null,
  -- What the enclave gave: which root, salt, nonce and AES-256-GCM ciphertext.
  root integer not null,
  salt bytea not null,
  nonce bytea not null,
  ciphertext bytea not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index credential_by_tenant on vault.credential (tenant_id, seq desc);
create index credential_by_root on vault.credential (root, id);

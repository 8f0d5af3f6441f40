-- Values before the one in use: sites take them for a while longer, so sessions mask them. Nobody can read or use one.
create table vault.replaced_value (
  credential_id uuid not null references vault.credential (id) on delete cascade,
  tenant_id text not null,
  service_id text not null,
  type text not null,
  version integer not null,
  root integer not null,
  salt bytea not null,
  nonce bytea not null,
  ciphertext bytea not null,
  replaced_at timestamptz not null,
  primary key (credential_id, version)
);
create index replaced_value_by_root on vault.replaced_value (root, credential_id);
create index replaced_value_by_time on vault.replaced_value (replaced_at);

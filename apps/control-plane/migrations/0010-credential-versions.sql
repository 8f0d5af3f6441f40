-- Values have versions: docs/decisions/0024.
alter table control_plane.credential
  -- The newest version that was ever sealed: no number is given twice, also not one that never came into use.
  add newest_version integer not null default 1,
  -- When the value in use came into use.
  add value_at timestamptz not null default now(),
  add rotation_due_at timestamptz,
  -- Whether the webhooks were told of this due date.
  add rotation_told boolean not null default false;
update control_plane.credential set value_at = created_at,
  rotation_due_at = case when rotation_policy ->> 'type' = 'scheduled'
    then created_at + (rotation_policy ->> 'interval_days')::integer * interval '24 hours' end;
create index credential_due on control_plane.credential (rotation_due_at)
  where rotation_due_at is not null and not rotation_told;

alter table control_plane.connector
  -- The operation that rotates the credential; null where there is none.
  add rotation json,
  -- No connector is left without its credential, whatever two people do at once.
  add foreign key (credential_id) references control_plane.credential;
create index connector_by_credential on control_plane.connector (credential_id);

create table control_plane.rotation (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id text not null,
  credential_id uuid not null references control_plane.credential on delete cascade,
  state text not null
    check (state in ('running', 'checking', 'unresolved', 'confirmed', 'failed', 'superseded')),
  connector_id uuid not null,
  execution_id uuid not null unique,
  -- The newest check; null while it is still to be asked for.
  check_id uuid unique,
  fingerprint text not null,
  -- The next value, until it is in use or dropped: what its ciphertext is bound to, and what the enclave gave.
  service_id text not null,
  type text not null,
  version integer not null,
  root integer,
  salt bytea,
  nonce bytea,
  ciphertext bytea,
  created_by text not null,
  created_by_key uuid not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Both values are kept exactly as long as nobody knows which of them is valid.
  check ((ended_at is null) = (state in ('running', 'checking', 'unresolved'))),
  check (num_nulls(root, salt, nonce, ciphertext) = case when ended_at is null then 0 else 4 end)
);
create unique index rotation_open on control_plane.rotation (credential_id) where ended_at is null;
create index rotation_by_credential on control_plane.rotation (credential_id, seq desc);
create index rotation_by_root on control_plane.rotation (root, id) where ended_at is null;

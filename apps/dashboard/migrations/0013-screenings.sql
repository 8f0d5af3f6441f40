-- Every answer of a provider of KYC or KYT, as evidence; the newest one is asked for again only when it is stale.
create table dashboard.screening (
  id text primary key,
  seq bigint generated always as identity unique,
  kind text not null check (kind in ('kyc', 'kyt')),
  provider text not null,
  -- KYT: an address. KYC: an account.
  subject text not null,
  -- CAIP-2; empty for KYC.
  chain text not null,
  verdict text not null check (verdict in ('pass', 'reject', 'approved', 'pending', 'rejected', 'unavailable')),
  risk_level text check (risk_level in ('low', 'medium', 'high', 'severe')),
  risk_score double precision check (risk_score between 0 and 100),
  attribution text check (attribution in ('known', 'none')),
  source text,
  list_date timestamptz,
  -- The provider's own name of its answer, or of the file that it is about.
  request_id text,
  -- Why there is no verdict.
  why text,
  -- What the provider sent, AES-256-GCM under the key of this id, with the id of the row as additional data.
  sealed_answer bytea,
  key_id text,
  screened_at timestamptz not null,
  check ((sealed_answer is null) = (key_id is null)),
  check ((risk_level is null) = (verdict not in ('pass', 'reject')))
);
create index screening_newest on dashboard.screening (subject, kind, provider, chain, seq desc);

-- `status` keeps what was decided. That an active or pending mandate has expired is seen by the clock when read.
-- `activated_at` is set by the first signature and never cleared: money may have moved under the mandate since.
-- `used_amount` is wider than the signed limits, because what has settled is recorded even when it overruns.

create table dashboard.mandate (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references dashboard.account (id),
  title text not null,
  per_tx_limit numeric(36, 18) not null check (per_tx_limit > 0),
  total_budget numeric(36, 18) not null check (total_budget > 0),
  used_amount numeric(54, 18) not null default 0 check (used_amount >= 0),
  held_amount numeric(36, 18) not null default 0 check (held_amount >= 0),
  transaction_count bigint not null default 0,
  last_used_at timestamptz,
  signature text,
  vc_json text,
  status text not null check (status in ('pending', 'active', 'exhausted', 'expired', 'revoked')),
  created_at timestamptz not null,
  activated_at timestamptz,
  expires_at timestamptz not null,
  check (status <> 'active' or (signature is not null and vc_json is not null and activated_at is not null))
);
create unique index mandate_one_active on dashboard.mandate (account_id) where status = 'active';
create index mandate_by_account on dashboard.mandate (account_id, seq desc);

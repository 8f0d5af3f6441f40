-- `reporter` is the account whose key wrote the record, or 'operator'. `dedupe_key` is a hash of what makes two
-- reports of one reporter the same; null when nothing does.

create table dashboard.transaction_log (
  id bigint generated always as identity primary key,
  reporter text not null,
  dedupe_key bytea,
  service_name varchar(64) not null,
  service_result varchar(20) not null check (service_result in ('pass', 'reject', 'error')),
  chain varchar(20) not null,
  tx_hash varchar(128),
  amount numeric(18, 2),
  amount_exact numeric(36, 18),
  token_symbol varchar(20),
  payer varchar(42),
  payee varchar(42),
  payer_kyc_result smallint,
  payer_kyt_result smallint,
  payer_kyt_risk_level smallint,
  payee_kyc_result smallint,
  payee_kyt_result smallint,
  payee_kyt_risk_level smallint,
  metadata jsonb,
  intent_mandate_id text,
  created_at timestamptz not null,
  unique (reporter, dedupe_key)
);

-- Exact totals and filtered pages of a busy wallet are answered from these two alone.
create index transaction_log_by_payer on dashboard.transaction_log (payer, id desc)
  include (service_result, chain, service_name, created_at);
create index transaction_log_by_payee on dashboard.transaction_log (payee, id desc)
  include (service_result, chain, service_name, created_at, payer);
create index transaction_log_by_hash on dashboard.transaction_log using hash (tx_hash);

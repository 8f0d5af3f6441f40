-- One payment that its owner is asked about. Ids are each payer's own, so nobody can take or find out another's.
-- `reporter` is who asked, as in the log. The signed message is made of this row alone: `units` is its amount, in units
-- of the token, and `expires_text` its expiry, both as they were written. That a pending or approved one has expired is
-- seen by the clock when read.

create table dashboard.approval (
  payer text not null,
  id text not null,
  seq bigint generated always as identity unique,
  reporter text not null,
  service_id text not null,
  tool_name text not null,
  arguments_hash text not null,
  pay_to text not null,
  asset text not null,
  units text not null,
  expires_text text not null,
  chain_id bigint not null,
  amount numeric(36, 18) not null,
  currency text not null,
  reason text not null,
  state text not null check (state in ('pending', 'approved', 'rejected', 'used')),
  signature text,
  reject_reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  primary key (payer, id),
  check (state <> 'approved' or (signature is not null and decided_at is not null))
);
create index approval_by_payer on dashboard.approval (payer, seq desc);
-- Operators name an approval without its payer.
create index approval_by_id on dashboard.approval (id);

-- The log by months (UTC) of `created_at`: a month can be dropped at once, and a look at some days reads only theirs.
-- Newest first means by (created_at, id). A moment has milliseconds, as on the wire, so that a cursor loses nothing.
-- `id` comes from its own sequence in the order in which reports were taken.
alter table dashboard.transaction_log rename to transaction_log_before;
create sequence dashboard.transaction_id;

create table dashboard.transaction_log (
  id bigint not null,
  reporter text not null,
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
  created_at timestamptz(3) not null
) partition by range (created_at);
alter sequence dashboard.transaction_id owned by dashboard.transaction_log.id;

-- Where a record goes whose month has no partition yet.
create table dashboard.transaction_log_default partition of dashboard.transaction_log default;

-- Gives every month of a range its partition, and moves there what came before it had one. The partition is filled
-- aside and attached, which is over at once; the default partition is locked, so that nothing slips in between.
create function dashboard.make_log_months(first_month date, last_month date) returns void language plpgsql as $$
declare
  month timestamp;
  low text;
  high text;
  part text;
begin
  for month in select generate_series(date_trunc('month', first_month::timestamp), last_month, interval '1 month') loop
    part := to_char(month, '"transaction_log_"YYYY_MM');
    continue when to_regclass('dashboard.' || part) is not null;
    low := month || '+00';
    high := month + interval '1 month' || '+00';
    lock table dashboard.transaction_log_default in access exclusive mode;
    execute format('create table dashboard.%I (like dashboard.transaction_log including constraints)', part);
    execute format(
      'with moved as (delete from dashboard.transaction_log_default where created_at >= %L and created_at < %L returning *)
       insert into dashboard.%I select * from moved', low, high, part);
    execute format('alter table dashboard.transaction_log attach partition dashboard.%I for values from (%L) to (%L)',
      part, low, high);
  end loop;
end
$$;

select dashboard.make_log_months(min(created_at at time zone 'UTC')::date, max(created_at at time zone 'UTC')::date)
from dashboard.transaction_log_before having count(*) > 0;

insert into dashboard.transaction_log
select id, reporter, service_name, service_result, chain, tx_hash, amount, amount_exact, token_symbol, payer, payee,
  payer_kyc_result, payer_kyt_result, payer_kyt_risk_level, payee_kyc_result, payee_kyt_result, payee_kyt_risk_level,
  metadata, intent_mandate_id, created_at
from dashboard.transaction_log_before;
select setval('dashboard.transaction_id', max(id)) from dashboard.transaction_log having count(*) > 0;

-- What makes two reports of one reporter the same, as a hash. It outlives the month of the record, so that what was
-- reported once is never taken again.
create table dashboard.transaction_key (
  reporter text not null,
  dedupe_key bytea not null,
  transaction_id bigint not null,
  primary key (reporter, dedupe_key)
);
insert into dashboard.transaction_key
select reporter, dedupe_key, id from dashboard.transaction_log_before where dedupe_key is not null;
drop table dashboard.transaction_log_before;

alter table dashboard.transaction_log add primary key (id, created_at);
-- Pages and counts of a busy wallet are answered from these two alone, whatever the filter but for the hash.
create index transaction_log_by_payer on dashboard.transaction_log (payer, created_at desc, id desc)
  include (service_result, chain, service_name);
create index transaction_log_by_payee on dashboard.transaction_log (payee, created_at desc, id desc)
  include (service_result, chain, service_name, payer);
create index transaction_log_by_hash on dashboard.transaction_log using hash (tx_hash);
-- For the roll-up, which reads what is new of all wallets.
create index transaction_log_by_time on dashboard.transaction_log using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);

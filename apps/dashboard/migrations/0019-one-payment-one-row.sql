-- What gateways note in the metadata of a record, as columns that the log is narrowed by, and `payment`, which all records
-- of one payment have in common: the owner's approval or, without one, its payee, chain and nonce. A release that does not know
-- these columns yet leaves them null, while both share the tables.
alter table dashboard.transaction_log
  add column tool_name varchar(128),
  add column agent varchar(128),
  add column reason varchar(64),
  add column payment text;

-- A text of the metadata; null for what is no text, or an empty one.
create function dashboard.noted(metadata jsonb, name text, longest int) returns text language sql immutable parallel safe as $$
  select case when jsonb_typeof(metadata -> name) = 'string' then nullif(left(metadata ->> name, longest), '') end
$$;

update dashboard.transaction_log set
  tool_name = dashboard.noted(metadata, 'toolName', 128),
  agent = dashboard.noted(metadata, 'agent', 128),
  reason = coalesce(dashboard.noted(metadata, 'reason', 64), dashboard.noted(metadata, 'code', 64)),
  payment = coalesce(dashboard.noted(metadata, 'approvalId', 128),
    coalesce(payee, '') || ' ' || chain || ' ' || dashboard.noted(metadata, 'nonce', 128))
where metadata is not null;

-- As before; they answer for the tool, the agent and the reason too.
drop index dashboard.transaction_log_by_payer;
drop index dashboard.transaction_log_by_payee;
create index transaction_log_by_payer on dashboard.transaction_log (payer, created_at desc, id desc)
  include (service_result, chain, service_name, reported_by, tool_name, agent, reason) where payer_standing = 'counted';
create index transaction_log_by_payee on dashboard.transaction_log (payee, created_at desc, id desc)
  include (service_result, chain, service_name, payer, reported_by, tool_name, agent, reason) where payee_standing = 'counted';
create index transaction_log_by_payment on dashboard.transaction_log using hash (payment);

-- Makes the records of one payment by one reporter one row: the payment itself or, until it was made, how it stands now.
-- What came before it and moved no money is `double` from then on. Gives the wallets for which a record ceased to count.
-- Locks are taken in the order of the roll-up: the log, the payment, the progress.
create function dashboard.settle_steps(of_reporter text, of_payment text, from_wallet text)
returns table (wallet text) language plpgsql as $$
begin
  lock table only dashboard.transaction_log in row exclusive mode;
  perform pg_advisory_xact_lock(hashtextextended('steps:' || of_payment, 0));
  perform from dashboard.wallet_day_progress for share;

  return query with found as (
    select t.id, t.created_at, t.payer, t.payee, t.service_result, t.amount_exact, t.tx_hash, t.payer_standing, t.payee_standing,
      row_number() over (order by t.service_result = 'pass' desc, t.service_result = 'error' desc, t.created_at desc, t.id desc) as place
    from dashboard.transaction_log t
    where t.payment = of_payment and t.reporter = of_reporter and t.payer is not distinct from from_wallet
  ), step as (
    select f.* from found f where f.place > 1 and f.service_result <> 'pass' and f.tx_hash is null
  ), changed as (
    update dashboard.transaction_log t set payer_standing = 'double', payee_standing = 'double'
    from step s where t.id = s.id and t.created_at = s.created_at and (t.payer_standing, t.payee_standing) <> ('double', 'double')
  ), side as (
    select s.payer as party, case when s.payee = s.payer then 'self' else 'payer' end as role, s.created_at, s.service_result, s.amount_exact
    from step s where s.payer is not null and s.payer_standing = 'counted'
    union all
    select s.payee, 'payee', s.created_at, s.service_result, s.amount_exact
    from step s where s.payee is not null and s.payee is distinct from s.payer and s.payee_standing = 'counted'
  ), corrected as (
    insert into dashboard.wallet_day as d (wallet, day, role, service_result, transactions, amount)
    select s.party, (s.created_at at time zone 'UTC')::date, s.role, s.service_result, -count(*), -sum(coalesce(s.amount_exact, 0))
    from side s
    where s.created_at < (select p.counted_until from dashboard.wallet_day_progress p)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint wallet_day_pkey do update
      set transactions = d.transactions + excluded.transactions, amount = d.amount + excluded.amount
  )
  select distinct s.party::text from side s;
end
$$;

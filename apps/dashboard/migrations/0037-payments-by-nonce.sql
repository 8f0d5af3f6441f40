-- Whether a key is of a record that is known by its nonce: another such record may then be of the same transaction, with a nonce of its
-- own. Not so those of before, nor what dashboards of before write meanwhile.
alter table dashboard.transaction_key add column by_nonce boolean not null default false;

-- As before, but to the payer each payment by Permit2 counts that it has reported itself, by its own nonce, though one transaction has
-- moved several. To the payee a transaction is one payment, until it reports more itself: the nonces are the payer's word.
create or replace function dashboard.settle_payment(
  names text[], hash text, from_wallet text, to_wallet text, looked_at bigint, seen boolean
) returns table (wallet text) language plpgsql as $$
begin
  lock table only dashboard.transaction_log in row exclusive mode;
  perform pg_advisory_xact_lock(hashtextextended('payment:' || lower(hash), 0));
  perform from dashboard.wallet_day_progress for share;

  update dashboard.transaction_log t set verified = seen
  where lower(t.tx_hash) = lower(hash) and t.id = looked_at and t.verified <> seen;

  return query with found as (
    select t.id, t.created_at, t.payer, t.payee, t.service_result, t.amount_exact, t.payer_standing, t.payee_standing,
      case when t.reported_by = 'payer' and t.service_result = 'pass' and dashboard.noted(t.metadata, 'method', 16) in ('permit2', 'upto')
        then dashboard.noted(t.metadata, 'nonce', 128) end as nonce,
      case when t.reported_by = 'payer' then 1 when t.reported_by = 'operator' then 2 when t.verified then 3 else 4 end as for_payer,
      case when t.reported_by = 'payee' or t.reported_by = 'payer' and t.payee = t.payer then 1 when t.reported_by = 'operator' then 2 when t.verified then 3 else 4 end as for_payee
    from dashboard.transaction_log t
    where lower(t.tx_hash) = lower(hash) and t.chain = any(names)
      and t.payer is not distinct from from_wallet and t.payee is not distinct from to_wallet
  ), judged as (
    select f.*,
      case when f.nonce is not null and row_number() over (partition by f.nonce order by f.id) = 1 then 'counted'
           when row_number() over (order by f.for_payer, f.id) > 1 then 'double'
           when f.for_payer < 4 then 'counted' else 'claimed' end as payer_now,
      case when row_number() over (order by f.for_payee, f.id) > 1 then 'double'
           when f.for_payee < 4 then 'counted' else 'claimed' end as payee_now
    from found f
  ), changed as (
    update dashboard.transaction_log t set payer_standing = j.payer_now, payee_standing = j.payee_now
    from judged j where t.id = j.id and t.created_at = j.created_at
      and (j.payer_standing, j.payee_standing) <> (j.payer_now, j.payee_now)
  ), side as (
    select j.payer as party, case when j.payee = j.payer then 'self' else 'payer' end as role, j.created_at,
      j.service_result, j.amount_exact,
      (j.payer_now = 'counted')::int - (j.payer_standing = 'counted')::int as change
    from judged j where j.payer is not null
    union all
    select j.payee, 'payee', j.created_at, j.service_result, j.amount_exact,
      (j.payee_now = 'counted')::int - (j.payee_standing = 'counted')::int
    from judged j where j.payee is not null and j.payee is distinct from j.payer
  ), corrected as (
    insert into dashboard.wallet_day as d (wallet, day, role, service_result, transactions, amount)
    select s.party, (s.created_at at time zone 'UTC')::date, s.role, s.service_result, sum(s.change),
      sum(s.change * coalesce(s.amount_exact, 0))
    from side s
    where s.change <> 0 and s.created_at < (select p.counted_until from dashboard.wallet_day_progress p)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint wallet_day_pkey do update
      set transactions = d.transactions + excluded.transactions, amount = d.amount + excluded.amount
  )
  select distinct s.party::text from side s where s.change <> 0;
end
$$;

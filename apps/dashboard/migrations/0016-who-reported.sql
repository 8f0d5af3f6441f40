-- Who reported a payment, and whether the dashboard has seen the transfer on chain itself.
--
-- `payer_standing` and `payee_standing` say what a record is to each of its parties. `counted`: its own report, an
-- operator's, or a payment seen on chain. `claimed`: the other party's word alone. `double`: the party has a record of
-- the same payment that comes before it. Of a payment to oneself both are the same. What is there already is filled in as
-- a payer's report, which most records are, and put right below.
alter table dashboard.transaction_log
  add column reported_by text not null default 'payer' check (reported_by in ('payer', 'payee', 'operator')),
  add column verified boolean not null default false,
  add column payer_standing text not null default 'counted' check (payer_standing in ('counted', 'claimed', 'double')),
  add column payee_standing text not null default 'claimed' check (payee_standing in ('counted', 'claimed', 'double'));

alter table dashboard.transaction_log
  alter column reported_by drop default,
  alter column verified drop default,
  alter column payer_standing drop default,
  alter column payee_standing drop default;

-- A release that does not know these columns yet leaves them out, while both share the tables.
create function dashboard.tell_reporter() returns trigger language plpgsql as $$
begin
  new.verified := false;
  new.reported_by := case
    when new.reporter = 'operator' then 'operator'
    when new.payee is distinct from new.payer and exists (
      select from dashboard.account a where a.id = new.reporter and a.wallet_address = new.payee) then 'payee'
    else 'payer' end;
  new.payer_standing := case when new.reported_by = 'payee' then 'claimed' else 'counted' end;
  new.payee_standing := case
    when new.reported_by = 'payer' and new.payee is distinct from new.payer then 'claimed' else 'counted' end;
  return new;
end
$$;
create trigger tell_reporter before insert on dashboard.transaction_log
  for each row when (new.reported_by is null) execute function dashboard.tell_reporter();

update dashboard.transaction_log set reported_by = 'operator', payee_standing = 'counted' where reporter = 'operator';
update dashboard.transaction_log set payee_standing = 'counted' where payee = payer;
update dashboard.transaction_log t set reported_by = 'payee', payer_standing = 'claimed', payee_standing = 'counted'
from dashboard.account a where a.id = t.reporter and a.wallet_address = t.payee and t.payee is distinct from t.payer;

-- What both parties, or an operator too, reported until now.
with ranked as (
  select id, created_at,
    row_number() over (payment order by reported_by <> 'payer', reported_by <> 'operator', id) as of_payer,
    row_number() over (
      payment order by reported_by <> 'payee' and payee is distinct from payer, reported_by <> 'operator', id) as of_payee
  from dashboard.transaction_log where tx_hash is not null
  window payment as (partition by lower(tx_hash), chain, payer, payee)
)
update dashboard.transaction_log t set
  payer_standing = case when of_payer > 1 then 'double' else payer_standing end,
  payee_standing = case when of_payee > 1 then 'double' else payee_standing end
from ranked r where t.id = r.id and t.created_at = r.created_at and (of_payer > 1 or of_payee > 1);

-- As before, of what counts alone; a look at the claims is as cheap. Hashes compare without case.
drop index dashboard.transaction_log_by_payer;
drop index dashboard.transaction_log_by_payee;
drop index dashboard.transaction_log_by_hash;
create index transaction_log_by_payer on dashboard.transaction_log (payer, created_at desc, id desc)
  include (service_result, chain, service_name) where payer_standing = 'counted';
create index transaction_log_by_payee on dashboard.transaction_log (payee, created_at desc, id desc)
  include (service_result, chain, service_name, payer) where payee_standing = 'counted';
create index transaction_log_claimed_payer on dashboard.transaction_log (payer, created_at desc, id desc)
  include (service_result, chain, service_name) where payer_standing = 'claimed';
create index transaction_log_claimed_payee on dashboard.transaction_log (payee, created_at desc, id desc)
  include (service_result, chain, service_name, payer) where payee_standing = 'claimed';
create index transaction_log_by_hash on dashboard.transaction_log using hash (lower(tx_hash));

-- The roll-up is made anew, of what counts.
truncate dashboard.wallet_day;
update dashboard.wallet_day_progress set counted_until = '-infinity';

-- As before, of what counts. It locks its progress first: a record whose standing changes is counted as it is
-- afterwards, or corrected by whoever changes it, and never both.
create or replace function dashboard.count_closed_month() returns boolean language plpgsql as $$
declare
  low timestamptz;
  high timestamptz;
begin
  select counted_until, closed_until into low, high from dashboard.wallet_day_progress for update;
  if low = '-infinity' then
    select coalesce(min(created_at), high) into low from dashboard.transaction_log where created_at < high;
    update dashboard.wallet_day_progress set counted_until = low;
  end if;
  if high <= low then return false; end if;
  high := least(high, (date_trunc('month', low at time zone 'UTC') + interval '1 month') at time zone 'UTC');

  insert into dashboard.wallet_day (wallet, day, role, service_result, transactions, amount)
  select wallet, (created_at at time zone 'UTC')::date, role, service_result, count(*), coalesce(sum(amount_exact), 0)
  from (
    select payer as wallet, case when payee = payer then 'self' else 'payer' end as role,
      service_result, amount_exact, created_at
    from dashboard.transaction_log
    where created_at >= low and created_at < high and payer is not null and payer_standing = 'counted'
    union all
    select payee, 'payee', service_result, amount_exact, created_at
    from dashboard.transaction_log
    where created_at >= low and created_at < high and payee is not null and payee is distinct from payer
      and payee_standing = 'counted'
  ) side
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (wallet, day, role, service_result) do update
    set transactions = wallet_day.transactions + excluded.transactions, amount = wallet_day.amount + excluded.amount;
  update dashboard.wallet_day_progress set counted_until = high;
  return true;
end
$$;

-- Says anew what each report of one payment is to its parties, after `looked_at` was looked for on chain (null: nobody
-- looked). `names` are all names of the chain. Gives the wallets for which a record began or ceased to count. Locks are
-- taken in the order of the roll-up: the log, the payment, the progress.
create function dashboard.settle_payment(
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
      case when t.reported_by = 'payer' then 1 when t.reported_by = 'operator' then 2 when t.verified then 3 else 4 end as for_payer,
      case when t.reported_by = 'payee' or t.reported_by = 'payer' and t.payee = t.payer then 1 when t.reported_by = 'operator' then 2 when t.verified then 3 else 4 end as for_payee
    from dashboard.transaction_log t
    where lower(t.tx_hash) = lower(hash) and t.chain = any(names)
      and t.payer is not distinct from from_wallet and t.payee is not distinct from to_wallet
  ), judged as (
    select f.*,
      case when row_number() over (order by f.for_payer, f.id) > 1 then 'double'
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

-- Reports whose transfer is looked for on chain, until it is final there or was not found for long enough.
create table dashboard.transfer_check (
  transaction_id bigint primary key,
  created_at timestamptz(3) not null,
  reporter text not null,
  due timestamptz not null,
  looks integer not null default 0
);
-- Reporters take turns: whoever reports much waits behind himself alone.
create index transfer_check_by_reporter on dashboard.transfer_check (reporter, due);
-- What was reported lately is looked for too, ten a second, so that newer reports need not wait.
insert into dashboard.transfer_check (transaction_id, created_at, reporter, due)
select id, created_at, reporter, now() + row_number() over (order by created_at desc) * interval '100 milliseconds'
from dashboard.transaction_log
where created_at > now() - interval '30 days' and service_result <> 'reject'
  and tx_hash is not null and amount_exact is not null and payer is not null and payee is not null;

-- The roll-up catches up by months instead of days: its rows lie by wallet, so that every step, however short, touches
-- the newest page of every wallet.
drop function dashboard.count_closed_day();

-- Adds what is closed of the next month to the roll-up; false when there was nothing to add. One at a time, like the
-- closing: who calls these two holds the advisory lock of the roll-up.
create function dashboard.count_closed_month() returns boolean language plpgsql as $$
declare
  low timestamptz;
  high timestamptz;
begin
  select counted_until, closed_until into low, high from dashboard.wallet_day_progress;
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
    from dashboard.transaction_log where created_at >= low and created_at < high and payer is not null
    union all
    select payee, 'payee', service_result, amount_exact, created_at
    from dashboard.transaction_log
    where created_at >= low and created_at < high and payee is not null and payee is distinct from payer
  ) side
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (wallet, day, role, service_result) do update
    set transactions = wallet_day.transactions + excluded.transactions, amount = wallet_day.amount + excluded.amount;
  update dashboard.wallet_day_progress set counted_until = high;
  return true;
end
$$;

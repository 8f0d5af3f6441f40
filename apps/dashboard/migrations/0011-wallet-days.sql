-- What each wallet sent and received in a day (UTC), so that exact totals of a busy wallet need not be counted anew.
-- `self` is what it paid to itself: each record counts once for a wallet. `amount` sums what was reported exactly.
create table dashboard.wallet_day (
  wallet varchar(42) not null,
  day date not null,
  role text not null check (role in ('payer', 'payee', 'self')),
  service_result varchar(20) not null,
  transactions bigint not null,
  amount numeric not null,
  primary key (wallet, day, role, service_result)
);

-- How far the roll-up is. No record is ever made with a `created_at` before `closed_until`: the statement that
-- records sees to it. All records before `counted_until` are in `wallet_day`, and none of the later ones is.
create table dashboard.wallet_day_progress (
  one boolean primary key default true check (one),
  closed_until timestamptz(3) not null,
  counted_until timestamptz(3) not null check (counted_until <= closed_until)
);
insert into dashboard.wallet_day_progress (closed_until, counted_until) values ('-infinity', '-infinity');

-- Closes the time before `moment` against new records. The lock waits until no record is half written, and who comes
-- later sees the new time, because a statement takes its snapshot after its locks.
create function dashboard.close_log(moment timestamptz) returns void language plpgsql as $$
begin
  lock table only dashboard.transaction_log in share mode;
  update dashboard.wallet_day_progress set closed_until = greatest(closed_until, moment);
end
$$;

-- Adds the next closed day, or what is closed of it, to the roll-up; false when there was nothing to add. One at a
-- time, like the closing: who calls these two holds the advisory lock of the roll-up.
create function dashboard.count_closed_day() returns boolean language plpgsql as $$
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
  high := least(high, (date_trunc('day', low at time zone 'UTC') + interval '1 day') at time zone 'UTC');

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
  group by 1, 2, 3, 4
  on conflict (wallet, day, role, service_result) do update
    set transactions = wallet_day.transactions + excluded.transactions, amount = wallet_day.amount + excluded.amount;
  update dashboard.wallet_day_progress set counted_until = high;
  return true;
end
$$;

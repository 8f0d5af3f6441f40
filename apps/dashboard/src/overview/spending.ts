import type { Address } from '@countersign/protocol/address';
import { type Queryable, rows, statement } from '@countersign/service/sql';

/** Passing payments of a wallet in one day (UTC, `YYYY-MM-DD`); `month` is the sum of the day's month up to it. */
export type DaySpending = {
  readonly day: string;
  readonly spent: string;
  readonly count: number;
  readonly monthSpent: string;
  readonly monthCount: number;
};

// The roll-up has what is old enough of the wallet itself; the rest is counted. Months are summed from their first day, which may be
// longer ago than the days that are shown.
const perDay = statement<DaySpending>(
  'overview.spending',
  `with bounds as (
     select ($2::timestamptz at time zone 'UTC')::date as today, least(
       ($2::timestamptz at time zone 'UTC')::date - $3::int + 1,
       date_trunc('month', $2::timestamptz at time zone 'UTC')::date) as first_day
   ), part as (
     select w.day, w.amount as spent, w.transactions as count from dashboard.wallet_day w, bounds
     where w.wallet = $1 and w.role in ('payer', 'self') and w.service_result = 'pass' and w.day >= bounds.first_day
     union all
     select (t.created_at at time zone 'UTC')::date, coalesce(t.amount_exact, 0), 1 from dashboard.transaction_log t
     where t.payer = $1 and t.payer_standing = 'counted' and t.service_result = 'pass'
       and t.created_at >= (select greatest(p.counted_until, b.first_day::timestamp at time zone 'UTC')
                            from dashboard.wallet_day_progress p, bounds b)
     union all
     select (t.created_at at time zone 'UTC')::date, coalesce(t.amount_exact, 0), 1 from dashboard.transaction_log t
     where t.payer_owner = $1 and t.payer_standing = 'counted' and t.service_result = 'pass'
       and t.created_at >= (select b.first_day::timestamp at time zone 'UTC' from bounds b)
   ), daily as (
     select d.day::date as day, coalesce(sum(part.spent), 0) as spent, coalesce(sum(part.count), 0) as count
     from bounds cross join generate_series(bounds.first_day, bounds.today, interval '1 day') as d(day)
     left join part on part.day = d.day::date group by d.day
   ), monthly as (
     select *, sum(spent) over month as month_spent, sum(count) over month as month_count from daily
     window month as (partition by date_trunc('month', day) order by day)
   )
   select to_char(day, 'YYYY-MM-DD') as day, trim_scale(spent)::text as spent, count::bigint as count,
     trim_scale(month_spent)::text as "monthSpent", month_count::bigint as "monthCount"
   from monthly, bounds where day > today - $3::int order by day`,
);

/** The last so many days of what a wallet and its agents spent, oldest first; `now` is in the last of them. */
export const readSpending = (
  db: Queryable,
  wallet: Address,
  { days, now }: { days: number; now: Date },
): Promise<readonly DaySpending[]> => rows(db, perDay, [wallet, now, days]);

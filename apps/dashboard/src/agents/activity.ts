import type { Address } from '@countersign/protocol/address';
import { type Queryable, rows, statement } from '@countersign/service/sql';

/**
 * An agent's recent activity. `lastSeenAt`: when one of its keys was last used, or its last report; null:
 * never.
 */
export type Activity = {
  readonly wallet: Address;
  readonly lastSeenAt: Date | null;
  readonly spent: string;
  readonly payments: number;
  readonly refused: number;
};

/** Today, in UTC, and the days before it that are summed. */
export const activityDays = 30;

// Whole days from the roll-up, and what is too new for it from the log, by the index of each wallet.
const read = statement<Activity>(
  'agent.activity',
  `with bounds as (
     select ($2::timestamptz at time zone 'UTC')::date - $3::int + 1 as first_day,
       (select p.counted_until from dashboard.wallet_day_progress p) as counted_until
   ), part as (
     select w.wallet, w.service_result, w.transactions, w.amount from dashboard.wallet_day w, bounds b
     where w.wallet = any($1::text[]) and w.role in ('payer', 'self') and w.day >= b.first_day
     union all
     select o.wallet, t.service_result, 1, coalesce(t.amount_exact, 0)
     from unnest($1::text[]) o(wallet) cross join bounds b join dashboard.transaction_log t
       on t.payer = o.wallet and t.payer_standing = 'counted'
       and t.created_at >= greatest(b.counted_until, b.first_day::timestamp at time zone 'UTC')
   ), summed as (
     select wallet, coalesce(sum(amount) filter (where service_result = 'pass'), 0) as spent,
       coalesce(sum(transactions) filter (where service_result = 'pass'), 0) as payments,
       coalesce(sum(transactions) filter (where service_result = 'reject'), 0) as refused
     from part group by wallet
   )
   select o.wallet, trim_scale(coalesce(s.spent, 0))::text as spent, coalesce(s.payments, 0)::bigint as payments,
     coalesce(s.refused, 0)::bigint as refused,
     greatest(
       (select max(k.last_used_at) from dashboard.agent_wallet g join dashboard.api_key k
          on k.account_id = g.account_id and k.agent_wallet = g.wallet where g.wallet = o.wallet and g.signed_at is not null and g.handed_on_at is null),
       (select t.created_at from dashboard.transaction_log t where t.payer = o.wallet and t.payer_standing = 'counted'
        order by t.created_at desc limit 1)
     ) as "lastSeenAt"
   from unnest($1::text[]) o(wallet) left join summed s on s.wallet = o.wallet`,
);

/**
 * Returns the payments and refusals of each of these wallets in the last days, as far as they count for the
 * agent.
 */
export const readActivity = async (
  db: Queryable,
  wallets: readonly Address[],
  now: Date,
): Promise<ReadonlyMap<Address, Activity>> =>
  new Map((await rows(db, read, [wallets, now, activityDays])).map((each) => [each.wallet, each]));

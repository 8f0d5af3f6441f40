import { formatAmount, parseAmount, zero } from '@countersign/protocol/amount';
import type { holdRoutes } from '@countersign/protocol/dashboard/holds';
import type { MandateStatus } from '@countersign/protocol/dashboard/mandate';
import type { BodyOf } from '@countersign/protocol/route';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { type Reporter, reporterName } from '../callers.ts';

/** What came of placing a hold. Of the others only `held` has reserved anything. */
export type Placed =
  | {
      readonly outcome: 'held';
      readonly remainingBudget: string;
      readonly expiresAt: Date;
      readonly accountId: string;
    }
  | { readonly outcome: 'none' | Exclude<MandateStatus, 'active'> }
  | { readonly outcome: 'above-limit' | 'above-budget' | 'other-content' | 'used' | PolicyOutcome };

type PolicyOutcome = 'paused' | 'merchant' | 'service' | 'above-threshold' | 'above-period';

const place = statement<Placed>(
  'hold.place',
  `select outcome, trim_scale(greatest(remaining, 0)) as "remainingBudget", held_until as "expiresAt",
     account as "accountId"
   from dashboard.place_hold($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

export type HoldRequest = BodyOf<typeof holdRoutes.holdMandate>;

/**
 * Reserves an amount of a mandate in one statement. A hold of this id that stands already is answered as it is; one
 * that has run out or was given back is placed anew, under every check; one that was paid never is.
 */
export async function placeHold(
  db: Queryable,
  { holdId, mandateId, amount, ttlSeconds, payee, serviceId }: HoldRequest,
  reporter: Reporter,
  now: Date,
): Promise<Placed> {
  const placed = await firstRow(db, place, [
    now,
    reporterName(reporter),
    reporter?.accountId,
    holdId,
    mandateId,
    formatAmount(parseAmount(amount) ?? zero),
    new Date(now.getTime() + ttlSeconds * 1000),
    payee,
    serviceId,
  ]);
  if (placed === null) throw new Error('a function gave no row');
  return placed;
}

const release = statement(
  'hold.release',
  `update dashboard.mandate_hold set state = 'released' where reporter = $1 and id = $2 and state = 'open'`,
);

type Released = {
  readonly state: 'released' | 'used';
  readonly remainingBudget: string;
  readonly mandateId: string;
  readonly accountId: string;
};

const find = statement<Released>(
  'hold.find',
  `select h.state, m.id as "mandateId", m.account_id as "accountId",
     trim_scale(greatest(m.total_budget - m.used_amount - dashboard.held_amount(m.id, $1), 0)) as "remainingBudget"
   from dashboard.mandate_hold h join dashboard.mandate m on m.id = h.mandate_id where h.reporter = $2 and h.id = $3`,
);

/** Gives a hold back and tells how it stands then; null when this reporter never placed it. */
export async function releaseHold(
  db: Queryable,
  holdId: string,
  reporter: Reporter,
  now: Date,
): Promise<Released | null> {
  const holder = reporterName(reporter);
  await rows(db, release, [holder, holdId]);
  return firstRow(db, find, [now, holder, holdId]);
}

import { formatAmount, parseAmount, zero } from '@countersign/protocol/amount';
import type { holdRoutes } from '@countersign/protocol/dashboard/holds';
import type { MandateStatus } from '@countersign/protocol/dashboard/mandate';
import type { ExceededRule } from '@countersign/protocol/dashboard/policy';
import type { BodyOf } from '@countersign/protocol/route';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import { type Reporter, reporterName } from '../callers.ts';
import { mandateTable } from '../mandates/table.ts';

export const holdTable = sqlTable('dashboard.mandate_hold', 'h', [
  'id',
  'mandateId',
  'payee',
  'state',
  'holders',
  'createdAt',
  'expiresAt',
]);

/** What came of placing a hold. Of the others only `held` has reserved anything. */
export type Placed =
  | {
      readonly outcome: 'held';
      readonly remainingBudget: string;
      readonly expiresAt: Date;
      readonly accountId: string;
    }
  | {
      readonly outcome: 'none' | Exclude<MandateStatus, 'active'>;
      readonly exceeded: null;
    }
  | {
      readonly outcome: 'other-networks' | 'other-content' | 'used' | 'paused' | 'merchant' | 'service';
      readonly exceeded: null;
    }
  /** The owner may lift it. `exceeded`: every such rule, also those that they have lifted. */
  | {
      readonly outcome: 'new-payee' | 'above-limit' | 'above-threshold' | 'above-budget' | 'above-period';
      readonly exceeded: readonly ExceededRule[];
    };

const place = statement<Placed>(
  'hold.place',
  `select outcome, trim_scale(greatest(remaining, 0)) as "remainingBudget", held_until as "expiresAt",
     account as "accountId", exceeded
   from dashboard.place_hold($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);

export type HoldRequest = BodyOf<typeof holdRoutes.holdMandate>;

/** Of whoever gives no name. */
const unnamed = '';

type Judged = {
  readonly now: Date;
  readonly chainId: number;
  /** The payee may be paid on any network, whatever the record says that names the address. */
  readonly anyNetwork?: boolean;
};

/**
 * Reserves an amount of a mandate in one statement. A hold of this id that stands already is judged as if it did not,
 * and then answered as it is, with one holder more; one that has run out or was given back is placed anew, under every check; one that was paid never is.
 */
export async function placeHold(
  db: Queryable,
  {
    holdId,
    mandateId,
    amount,
    ttlSeconds,
    payee,
    serviceId,
    holder = unnamed,
    chain,
    approvalId,
  }: HoldRequest,
  reporter: Reporter,
  { now, chainId, anyNetwork = false }: Judged,
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
    holder,
    chain?.slice('eip155:'.length) ?? chainId,
    approvalId,
    anyNetwork,
  ]);
  if (placed === null) throw new Error('a function gave no row');
  return placed;
}

/** Without a name it ends for all. With one that it does not have, nothing changes. */
const release = statement(
  'hold.release',
  `update dashboard.mandate_hold h set
     holders = array_remove(h.holders, $3),
     state = case when $3 is null or h.holders = array[$3] then 'released' else h.state end
   where h.reporter = $1 and h.id = $2 and h.state = 'open' and ($3::text is null or $3 = any(h.holders))
     and ($4::text is null or (select m.agent_wallet from dashboard.mandate m where m.id = h.mandate_id) = $4)`,
);

type Released = {
  readonly state: 'open' | 'released' | 'used';
  readonly remainingBudget: string;
  readonly mandateId: string;
  readonly accountId: string;
};

const find = statement<Released>(
  'hold.find',
  `select h.state, m.id as "mandateId", ${mandateTable.list('accountId')},
     trim_scale(greatest(m.total_budget - m.used_amount - dashboard.held_amount(m.id, $1), 0)) as "remainingBudget"
   from ${holdTable.from} join ${mandateTable.from} on m.id = h.mandate_id where h.reporter = $2 and h.id = $3
     and ($4::text is null or m.agent_wallet = $4)`,
);

/** Gives a hold back, for one holder or for all, and tells how it stands then; null when this reporter never placed it, or it is another agent's. */
export async function releaseHold(
  db: Queryable,
  { holdId, holder }: BodyOf<typeof holdRoutes.releaseHold>,
  reporter: Reporter,
  now: Date,
): Promise<Released | null> {
  const name = reporterName(reporter);
  await rows(db, release, [name, holdId, holder, reporter?.agentWallet]);
  return firstRow(db, find, [now, name, holdId, reporter?.agentWallet]);
}

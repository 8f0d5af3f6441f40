import type { PolicyRefusal } from '@countersign/protocol/dashboard/policy';
import { fail, ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import type { Kyc } from '../compliance/kyc.ts';
import { noAnswer } from '../compliance/no-answer.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { type DashboardHandlers, isOfAnotherAgent, type KeyCaller, reporterOf } from '../callers.ts';
import type { Tell } from '../events/notice.ts';
import { expired, exhausted, noSuchMandate } from '../mandates/lifecycle.ts';
import { agentOfMandate } from '../mandates/of-agents.ts';
import { mandateNotice } from '../mandates/notice.ts';
import { type Placed, placeHold, releaseHold } from './store.ts';

type HoldParts = {
  readonly now: () => Date;
  readonly chainId: number;
  readonly log: Logger;
  readonly tell: Tell;
  /** What is known of the person who owns this address. */
  readonly lookUp: Kyc['lookUp'];
};

/** Keep a share of a mandate's budget for one payment, and give it back. */
export function holdHandlers(
  pool: Pool,
  { now, chainId, log, tell, lookUp }: HoldParts,
): Pick<DashboardHandlers, 'holdMandate' | 'releaseHold'> {
  return {
    async holdMandate({ body, caller }) {
      if (!(await maySpend(pool, caller, body.mandateId))) return fail(noSuchMandate);
      const place = (anyNetwork: boolean) =>
        placeHold(pool, body, reporterOf(caller), { now: now(), chainId, anyNetwork });
      let placed = await place(false);
      // A record counts for its own networks alone, a person for all.
      if (placed.outcome === 'other-networks' && body.payee !== undefined) {
        const found = await lookUp(body.payee);
        if (found.kind === 'unavailable') return noAnswer(log, 'KYC', found);
        if (found.status === 'approved') placed = await place(true);
      }
      if (placed.outcome !== 'held') return fail(refusalOf(placed, body.chain !== undefined));
      const { remainingBudget, expiresAt, accountId } = placed;
      tell(mandateNotice(accountId, body.mandateId));
      return ok({ holdId: body.holdId, remainingBudget, expiresAt: expiresAt.toISOString() });
    },

    async releaseHold({ body, caller }) {
      const released = await releaseHold(pool, body, reporterOf(caller), now());
      if (released === null) return refusal('BUSINESS_NOT_FOUND', 'hold not found');
      // Releasing twice, or what has expired, changes nothing and is no error. What was paid cannot be given back.
      if (released.state === 'used') return refusal('REPEATED_SUBMIT', 'the hold has already been used');
      tell(mandateNotice(released.accountId, released.mandateId));
      return ok({ holdId: body.holdId, remainingBudget: released.remainingBudget });
    },
  };
}

/** To a key of one agent a mandate of another wallet is none. */
const maySpend = async (pool: Pool, caller: KeyCaller, mandateId: string): Promise<boolean> =>
  caller.kind === 'operator' ||
  caller.agentWallet === null ||
  !isOfAnotherAgent(caller, await agentOfMandate(pool, caller.account.id, mandateId));

/** What the owner may lift is told as a whole, so that they decide about all of it; but not to gateways of before, which name no chain. */
const refusalOf = (
  { outcome, exceeded }: Exclude<Placed, { outcome: 'held' }>,
  tellsAll: boolean,
): Refusal => {
  return exceeded === null || !tellsAll ? refusals[outcome] : { ...refusals[outcome], data: { exceeded } };
};

const byPolicy = (code: Refusal['code'], msg: PolicyRefusal): Refusal => ({ code, msg });

const refusals: Record<Exclude<Placed['outcome'], 'held'>, Refusal> = {
  'above-limit': { code: 'INTENT_PER_TX_EXCEEDED', msg: 'the amount is above the limit per transaction' },
  'above-budget': { code: 'INTENT_BUDGET_EXCEEDED', msg: 'the amount is above the remaining budget' },
  'other-networks': byPolicy('UNAUTHORIZED_OPERATION', 'PAYEE_ON_OTHER_NETWORKS'),
  'other-content': { code: 'REPEATED_SUBMIT', msg: 'this holdId belongs to another amount or mandate' },
  used: { code: 'REPEATED_SUBMIT', msg: 'the hold has already been used' },
  none: noSuchMandate,
  pending: noSuchMandate,
  revoked: noSuchMandate,
  expired,
  exhausted,
  paused: byPolicy('MANDATE_NOT_FOUND', 'MANDATE_PAUSED'),
  merchant: byPolicy('UNAUTHORIZED_OPERATION', 'MERCHANT_NOT_ALLOWED'),
  service: byPolicy('UNAUTHORIZED_OPERATION', 'SERVICE_NOT_ALLOWED'),
  'new-payee': byPolicy('INTENT_PER_TX_EXCEEDED', 'NEW_PAYEE'),
  'above-threshold': byPolicy('INTENT_PER_TX_EXCEEDED', 'APPROVAL_THRESHOLD_EXCEEDED'),
  'above-period': byPolicy('INTENT_BUDGET_EXCEEDED', 'PERIOD_BUDGET_EXCEEDED'),
};

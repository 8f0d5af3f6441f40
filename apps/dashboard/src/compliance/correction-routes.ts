import { parseAddress } from '@countersign/protocol/address';
import type { LooseningDeed } from '@countersign/protocol/dashboard/correction-routes';
import { ok } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import type { DashboardHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import { restore, withdraw } from './decide-kyc.ts';
import { forget, showWord, wordsOn } from './first-word.ts';
import { listHistory, putOnRecord } from './history.ts';
import { findReview } from './kyc-store.ts';
import { isOperator, operatorsOnly } from './operators.ts';
import type { DecisionParts } from './review-routes.ts';
import { standingOf } from './standing.ts';
import { whyNotDecided } from './why-not.ts';
import { listWithdrawn } from './withdrawal-store.ts';

type Corrections = Pick<
  DashboardHandlers,
  'withdrawKyc' | 'restoreKyc' | 'listWithdrawals' | 'retractFirstWord' | 'listComplianceHistory'
>;

/** Handles corrections of operators' decisions, and their history. */
export function correctionHandlers(parts: DecisionParts): Corrections {
  const { pool, kyc, fourEyes, validity, now, log } = parts;
  const { operators } = fourEyes;
  return {
    async withdrawKyc({ body: { walletAddress, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const about = { by: caller.account, fourEyes, now: now() };
      const withdrawing = { wallet: walletAddress, reason, byVendor: kyc.begin !== null };
      const decided = await withdraw(pool, withdrawing, about);
      if (decided.kind !== 'done')
        return whyNotDecided(decided, 'there is no approval to withdraw', 'it is already withdrawn');
      log.info({ wallet: walletAddress, operator: about.by.walletAddress }, 'KYC was withdrawn');
      const { kycStatus } = await standingOf(pool, walletAddress, validity, now());
      return ok({ walletAddress, kycStatus });
    },

    async restoreKyc({ body: { walletAddress, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const about = { by: caller.account, fourEyes, now: now() };
      const decided = await restore(pool, { wallet: walletAddress, reason }, about);
      if (decided.kind !== 'done' && decided.kind !== 'first')
        return whyNotDecided(decided, 'no approval is withdrawn', 'it has already been restored');
      const effective = decided.kind === 'done';
      log.info({ wallet: walletAddress, effective, operator: about.by.walletAddress }, 'KYC was restored');
      const word = decided.kind === 'first' ? decided.word : undefined;
      return ok({ walletAddress, firstWord: showWord(word) });
    },

    async listWithdrawals({ body: { page = 1, limit = 20 }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const { items, total } = await listWithdrawn(pool, { page, limit });
      const wallets = items.map(({ walletAddress }) => walletAddress);
      const words = await wordsOn(pool, fourEyes, 'restore', wallets);
      const data = items.map((each) => ({
        ...each,
        withdrawnAt: each.withdrawnAt.toISOString(),
        firstWord: showWord(words.get(each.walletAddress)),
      }));
      return ok({ data, total, page, limit });
    },

    async retractFirstWord({ body: { deed, subject, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const about = { deed, subject: parseAddress(subject) ?? subject, reason, by: caller.account };
      return (await retract(pool, about, now()))
        ? ok({ deed, subject })
        : refusal('BUSINESS_NOT_FOUND', 'there is nothing to retract, or it has already been decided');
    },

    async listComplianceHistory({ body: { walletAddress, payeeId, about, page = 1, limit = 20 }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const wanted = { wallet: walletAddress, payeeId, about };
      const { items, total } = await listHistory(pool, wanted, { page, limit });
      return ok({ data: items.map((each) => ({ ...each, at: each.at.toISOString() })), total, page, limit });
    },
  };
}

type Retracted = {
  readonly deed: LooseningDeed;
  readonly subject: string;
  readonly reason: string | undefined;
  readonly by: Account;
};

/** Takes a first word back; false when there is none. Whoever said the second before has decided. */
const retract = (pool: Pool, { deed, subject, reason, by }: Retracted, now: Date): Promise<boolean> =>
  inTransaction(pool, async (db) => {
    if (!(await forget(db, deed, subject))) return false;
    const review = deed === 'approve' ? await findReview(db, subject) : null;
    await putOnRecord(db, now, {
      deed: 'retract',
      by,
      effective: true,
      wallet: review?.walletAddress ?? parseAddress(subject),
      ...(deed === 'admit-payee' && { payeeId: subject }),
      reason,
      detail: { deed },
      ...(review !== null && { reviewId: review.id }),
    });
    return true;
  });

import type { Address } from '@countersign/protocol/address';
import { knownChain } from '@countersign/protocol/dashboard/compliance';
import { ok } from '@countersign/protocol/result';
import { refusal } from '@countersign/service/http';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import type { DashboardHandlers } from '../callers.ts';
import { newId, type RandomBytes } from '../ids.ts';
import { decideReview, findReview, insertSubmission, listReviews, type ReviewRecord } from './kyc-store.ts';
import type { KycProvider, KytProvider, Unavailable } from './ports.ts';
import { addToDenyList, removeFromDenyList } from './sanctions-store.ts';

type ComplianceParts = {
  readonly pool: Pool;
  readonly kyc: KycProvider;
  readonly kyt: KytProvider;
  /** Wallets of the operators. */
  readonly operators: ReadonlySet<Address>;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
};

/** The two look-ups of a gateway. A provider without a trustworthy answer is an error, never a pass. */
export function lookupHandlers({
  kyc,
  kyt,
  log,
}: ComplianceParts): Pick<DashboardHandlers, 'kycCheck' | 'kytCheck'> {
  const unavailable = (provider: string, { why }: Unavailable) => {
    log.error({ provider, why }, 'no answer from a compliance provider');
    return refusal('SYSTEM_ERROR', 'the compliance provider is unavailable');
  };
  return {
    async kycCheck({ body: { walletAddress } }) {
      const found = await kyc.look(walletAddress);
      if (found.kind === 'unavailable') return unavailable(kyc.name, found);
      return ok({ walletAddress, kycCompleted: found.status === 'approved', kycStatus: found.status });
    },

    async kytCheck({ body: { walletAddress: address, chain } }) {
      const found = await kyt.screen(address, knownChain(chain) ?? chain);
      if (found.kind === 'unavailable') return unavailable(kyt.name, found);
      const { decision, riskLevel, riskScore } = found;
      return ok({ address, chain, decision, riskLevel, riskScore });
    },
  };
}

/** The review queue, from both sides. */
export function reviewHandlers(
  parts: ComplianceParts,
): Pick<DashboardHandlers, 'submitKyc' | 'listKycReviews' | 'decideKycReview'> {
  const { pool, operators, now, random, log } = parts;
  return {
    async submitKyc({ body, caller }) {
      const submission = { ...body, id: newId(random, 'kyc'), accountId: caller.account.id };
      const kept = await insertSubmission(pool, submission, now());
      return kept
        ? ok({ kycStatus: 'pending' })
        : refusal('REPEATED_SUBMIT', 'a submission waits or is approved already');
    },

    async listKycReviews({ body, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const { kycStatus, page = 1, limit = 20 } = body;
      const { items, total } = await listReviews(pool, kycStatus, { page, limit });
      return ok({ data: items.map(showReview), total, page, limit });
    },

    async decideKycReview({ params, body, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const id = params['id'] ?? '';
      const review = await findReview(pool, id);
      if (review === null) return refusal('BUSINESS_NOT_FOUND', 'review not found');
      if (review.accountId === caller.account.id) {
        return refusal('UNAUTHORIZED_OPERATION', 'nobody decides about oneself');
      }
      const status = body.decision === 'approve' ? 'approved' : 'rejected';
      const decided = await decideReview(
        pool,
        id,
        { status, reason: body.reason, by: caller.account.id },
        now(),
      );
      const after = await findReview(pool, id);
      if (!decided || after === null) return refusal('REPEATED_SUBMIT', 'this review is decided already');
      log.info({ review: id, status, operator: caller.account.walletAddress }, 'KYC was decided');
      return ok({ review: showReview(after) });
    },
  };
}

/** The operators' own deny list. */
export function denyListHandlers(
  parts: ComplianceParts,
): Pick<DashboardHandlers, 'addToDenyList' | 'removeFromDenyList'> {
  const { pool, operators, now, log } = parts;
  return {
    async addToDenyList({ body: { address, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      await addToDenyList(pool, { address, reason, by: caller.account.id }, now());
      log.info({ address, reason, operator: caller.account.walletAddress }, 'added to the deny list');
      return ok({ address, reason });
    },

    async removeFromDenyList({ body: { address, reason }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const removed = await removeFromDenyList(pool, address);
      if (!removed) return refusal('BUSINESS_NOT_FOUND', 'the address is not on the deny list');
      log.info({ address, reason, operator: caller.account.walletAddress }, 'removed from the deny list');
      return ok({ address });
    },
  };
}

const isOperator = (operators: ReadonlySet<Address>, account: Account): boolean =>
  operators.has(account.walletAddress);

const operatorsOnly = () => refusal('UNAUTHORIZED_OPERATION', 'this is for operators');

const showReview = (review: ReviewRecord) => ({
  ...review,
  createdAt: review.createdAt.toISOString(),
  decidedAt: review.decidedAt?.toISOString() ?? null,
});

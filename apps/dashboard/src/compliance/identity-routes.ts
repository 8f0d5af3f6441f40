import type { Address } from '@countersign/protocol/address';
import { ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import type { Account } from '../accounts/account.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { Kyc } from './kyc.ts';
import { findNewestReview } from './kyc-store.ts';
import { withhold } from './identity.ts';
import { noAnswer } from './no-answer.ts';
import type { Identity, KycSubject, Unavailable } from '../screening/ports.ts';
import { showReview } from './review-routes.ts';
import type { Sealer } from './seal.ts';
import { renewableFrom, standingOf, type Validity } from './standing.ts';
import { findWithdrawal } from './withdrawal-store.ts';

type IdentityParts = {
  readonly pool: Pool;
  readonly kyc: Kyc;
  readonly validity: Validity;
  readonly sealer: Sealer | null;
  /** Returns the identity of an address's owner, or else what a business record states. */
  readonly lookUpParty: (address: Address) => Promise<Identity | Unavailable>;
  readonly now: () => Date;
  readonly log: Logger;
};

/** Handles identities, as the configured provider knows them. */
export function identityHandlers({
  pool,
  kyc,
  validity,
  sealer,
  lookUpParty,
  now,
  log,
}: IdentityParts): Pick<DashboardHandlers, 'kycCheck' | 'kycStatus' | 'beginKyc'> {
  return {
    async kycCheck({ body: { walletAddress } }) {
      const found = await lookUpParty(walletAddress);
      if (found.kind === 'unavailable') return noAnswer(log, 'KYC', found);
      const kycStatus = found.status;
      return ok({ walletAddress, kycCompleted: kycStatus === 'approved', kycStatus });
    },

    async kycStatus({ caller: { account, person } }) {
      const found = await kyc.look(subjectOf(account));
      if (found.kind === 'unavailable') return noAnswer(log, 'KYC', found);
      const [review, withdrawal, { validUntil: end }] = await Promise.all([
        findNewestReview(pool, account.id),
        findWithdrawal(pool, account.id),
        standingOf(pool, account.walletAddress, validity, now()),
      ]);
      const shown = review === null ? null : showReview(review, { validity, sealer });
      const counted = kyc.begin === null ? end : null;
      return ok({
        kycStatus: found.status,
        submitted: review !== null || found.requestId !== null,
        // The account's people may know how it stands; who its holder is, the holder alone.
        review: shown === null || person.holder ? shown : withhold(shown),
        validUntil: counted?.toISOString() ?? null,
        renewableFrom: counted === null ? null : renewableFrom(counted, validity).toISOString(),
        withdrawal:
          withdrawal === null ? null : { reason: withdrawal.reason, at: withdrawal.at.toISOString() },
      });
    },

    async beginKyc({ caller: { account } }) {
      if (kyc.begin === null)
        return refusal('BUSINESS_NOT_FOUND', 'submit at /api/kyc/submit: operators review it');
      const found = await kyc.look(subjectOf(account));
      if (found.kind === 'unavailable') return noAnswer(log, 'KYC', found);
      // A new inquiry would put an approval in doubt that stands.
      if (found.status === 'approved') return refusal('REPEATED_SUBMIT', 'this identity is already verified');
      const begun = await kyc.begin(subjectOf(account));
      if (begun.kind === 'unavailable') return noAnswer(log, 'KYC', begun);
      return ok({ url: begun.url, expiresAt: begun.expiresAt?.toISOString() ?? null });
    },
  };
}

const subjectOf = ({ id, walletAddress }: Account): KycSubject => ({ accountId: id, wallet: walletAddress });

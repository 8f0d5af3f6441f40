import { firstRow, inTransaction, type Pool, statement } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { insertSubmission, type Submission } from './kyc-store.ts';
import { renewableFrom, standingOf, type Validity } from './standing.ts';
import { lockPerson } from './withdrawal-store.ts';

/** An operator has to look at each of them. */
const maxInADay = 3;
const dayMs = 24 * 60 * 60_000;

export type HandedIn =
  | { readonly kind: 'kept' }
  /** A submission is pending already, or the approval is valid and does not end soon. */
  | { readonly kind: 'needless' }
  | { readonly kind: 'too-often'; readonly again: Date };

const recent = statement<{ times: number; first: Date | null }>(
  'kyc.recent',
  `select count(*) as times, min(created_at) as first from (
     select created_at from dashboard.kyc_submission where account_id = $1 and created_at > $2
     order by created_at desc limit $3) newest`,
);

/** Keeps what somebody hands in: first, after a rejection or withdrawal, or to renew an approval near its end. */
export const handIn = (
  pool: Pool,
  { id: accountId, walletAddress }: Account,
  submission: Omit<Submission, 'accountId'>,
  { validity, now }: { readonly validity: Validity; readonly now: Date },
): Promise<HandedIn> =>
  inTransaction(pool, async (db) => {
    await lockPerson(db, accountId);
    const { kycStatus, validUntil } = await standingOf(db, walletAddress, validity, now);
    const holds = kycStatus === 'approved' && validUntil !== null;
    if (holds && now < renewableFrom(validUntil, validity)) return { kind: 'needless' };
    const since = new Date(now.getTime() - dayMs);
    const { times = 0, first = null } = (await firstRow(db, recent, [accountId, since, maxInADay])) ?? {};
    if (times >= maxInADay && first !== null)
      return { kind: 'too-often', again: new Date(first.getTime() + dayMs) };
    const kept = await insertSubmission(db, { ...submission, accountId }, now);
    return { kind: kept ? 'kept' : 'needless' };
  });

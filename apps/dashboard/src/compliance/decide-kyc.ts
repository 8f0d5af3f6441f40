import type { Address } from '@countersign/protocol/address';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { findAccount } from '../accounts/store.ts';
import { forgetRenewed } from '../personal/retention.ts';
import { agree, type Agreement, forget, type FourEyes } from './first-word.ts';
import { putOnRecord } from './history.ts';
import { decideReview, findReview, type ReviewRecord } from './kyc-store.ts';
import {
  findWithdrawal,
  findWithdrawn,
  hasApproval,
  insertWithdrawal,
  liftWithdrawal,
  lockPerson,
  undoWithdrawal,
} from './withdrawal-store.ts';

/** The result of a decision. Only `done` and `first` have changed anything. */
export type Decided =
  | Exclude<Agreement, { kind: 'agreed' }>
  | { readonly kind: 'done' | 'not-found' | 'oneself' | 'settled' };

type About = { readonly by: Account; readonly fourEyes: FourEyes; readonly now: Date };

/** Rejects at once, or approves: as one of two words where two have to agree. */
export async function decideSubmission(
  pool: Pool,
  id: string,
  word: { readonly decision: 'approve' | 'reject'; readonly reason: string | undefined },
  about: About,
): Promise<Decided> {
  const review = await findReview(pool, id);
  if (review === null) return { kind: 'not-found' };
  if (review.accountId === about.by.id) return { kind: 'oneself' };
  return inTransaction(pool, async (db) => {
    await lockPerson(db, review.accountId);
    if ((await findReview(db, id))?.kycStatus !== 'pending') return { kind: 'settled' };
    return word.decision === 'reject'
      ? reject(db, review, word.reason ?? '', about)
      : approve(db, review, word.reason, about);
  });
}

async function reject(
  db: Queryable,
  { id, walletAddress: wallet }: ReviewRecord,
  reason: string,
  { by, now }: About,
): Promise<Decided> {
  await decideReview(db, id, { status: 'rejected', reason, by: by.id }, now);
  await forget(db, 'approve', id);
  await putOnRecord(db, now, { deed: 'reject', by, effective: true, wallet, reviewId: id, reason });
  return { kind: 'done' };
}

async function approve(
  db: Queryable,
  { id, accountId, walletAddress: wallet }: ReviewRecord,
  reason: string | undefined,
  { by, fourEyes, now }: About,
): Promise<Decided> {
  const agreement = await agree(db, fourEyes, { deed: 'approve', subject: id, reason, by }, now);
  if (agreement.kind === 'same-operator') return agreement;
  const effective = agreement.kind === 'agreed';
  await putOnRecord(db, now, { deed: 'approve', by, effective, wallet, reviewId: id, reason });
  if (!effective) return agreement;
  await decideReview(db, id, { status: 'approved', reason, by: by.id }, now);
  await liftWithdrawal(db, accountId);
  await forgetRenewed(db, { accountId, id }, now);
  await forget(db, 'restore', wallet);
  return { kind: 'done' };
}

type Withdrawing = {
  readonly wallet: Address;
  readonly reason: string;
  /** Whether somebody else than operators approves, so that there may be nothing of ours to withdraw. */
  readonly byVendor: boolean;
};

/** Withdraws an approval at once, whoever gave it, and ends what that person has handed in. */
export const withdraw = (
  pool: Pool,
  { wallet, reason, byVendor }: Withdrawing,
  about: About,
): Promise<Decided> =>
  aboutPerson(pool, wallet, about, async (db, person) => {
    const { by, now } = about;
    if ((await findWithdrawal(db, person.id)) !== null) return { kind: 'settled' };
    if (!byVendor && !(await hasApproval(db, person.id))) return { kind: 'not-found' };
    const ended = await insertWithdrawal(db, { accountId: person.id, reason, by: by.id }, now);
    for (const id of ended ?? []) await forget(db, 'approve', id);
    const reviewId = ended?.at(-1);
    await putOnRecord(db, now, {
      deed: 'withdraw',
      by,
      effective: true,
      wallet,
      reason,
      ...(reviewId !== undefined && { reviewId }),
    });
    return { kind: 'done' };
  });

/** Takes a withdrawal back: as one of two words where two have to agree. */
export const restore = (
  pool: Pool,
  { wallet, reason }: Pick<Withdrawing, 'wallet' | 'reason'>,
  about: About,
): Promise<Decided> =>
  aboutPerson(pool, wallet, about, async (db, person) => {
    const { by, fourEyes, now } = about;
    if ((await findWithdrawal(db, person.id)) === null) return { kind: 'not-found' };
    const agreement = await agree(db, fourEyes, { deed: 'restore', subject: wallet, reason, by }, now);
    if (agreement.kind === 'same-operator') return agreement;
    const effective = agreement.kind === 'agreed';
    const reviewId = await findWithdrawn(db, person.id);
    await putOnRecord(db, now, {
      deed: 'restore',
      by,
      effective,
      wallet,
      reason,
      ...(reviewId !== null && { reviewId }),
    });
    if (!effective) return agreement;
    await undoWithdrawal(db, { accountId: person.id, reason, by: by.id }, now);
    return { kind: 'done' };
  });

/** Nobody decides about oneself, and decisions about one person come one after another. */
async function aboutPerson(
  pool: Pool,
  wallet: Address,
  { by }: About,
  work: (db: Queryable, person: Account) => Promise<Decided>,
): Promise<Decided> {
  const person = await findAccount(pool, wallet);
  if (person === null) return { kind: 'not-found' };
  if (person.id === by.id) return { kind: 'oneself' };
  return inTransaction(pool, async (db) => {
    await lockPerson(db, person.id);
    return work(db, person);
  });
}

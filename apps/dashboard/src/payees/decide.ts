import type { Address } from '@countersign/protocol/address';
import type { PayeeFacts } from '@countersign/protocol/dashboard/payees';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import type { Decided } from '../compliance/decide-kyc.ts';
import { agree, forget, type FourEyes, type Word } from '../compliance/first-word.ts';
import { putOnRecord } from '../compliance/history.ts';
import { liftRejections } from '../kyb/store.ts';
import { forgetMarks } from './check-domain.ts';
import { narrows } from './narrow.ts';
import { factsOf, newestOf, type PayeeRow } from './payee.ts';
import { admitReviews, turnReviewsAway } from './review-store.ts';
import {
  admitVersion,
  claimedByOther,
  findPayee,
  handedIn,
  insertPayee,
  lockPayees,
  ownsOneOf,
  withdrawRecord,
  writeVersion,
} from './store.ts';

export type About = { readonly by: Account; readonly fourEyes: FourEyes; readonly now: Date };

/** The result of a decision about a record. Only `done` and `first` have changed anything. */
export type PayeeDecided =
  | Decided
  /** Another record claims this address. */
  | { readonly kind: 'claimed'; readonly address: Address; readonly payeeId: string }
  /** The record was changed, or its proposal ended, since it was read. */
  | { readonly kind: 'stale' }
  /** Its end is over: agreed on, it would vouch for nothing and claim its addresses. */
  | { readonly kind: 'over' };

type New = {
  readonly id: string;
  readonly facts: PayeeFacts;
  readonly reason?: string | undefined;
  /** Numbers of the noes of KYB providers that the operator has read: no other is lifted. */
  readonly seenRejections?: readonly number[] | undefined;
};

/** Admits businesses, all or none: at once, or as the first of two words. The first that cannot be is told. */
export const create = (
  pool: Pool,
  all: readonly New[],
  about: About,
): Promise<{ readonly decided: PayeeDecided; readonly at: number }> =>
  inTransaction(pool, async (db) => {
    await lockPayees(db);
    return createIn(db, all, about);
  });

/** The same within a transaction that has locked the records. */
export async function createIn(
  db: Queryable,
  all: readonly New[],
  about: About,
): Promise<{ readonly decided: PayeeDecided; readonly at: number }> {
  for (const [at, { facts }] of all.entries()) {
    const decided = await whyNot(db, facts, null, about.by);
    if (decided !== null) return { decided, at };
  }
  let decided: PayeeDecided = { kind: 'done' };
  for (const { id, facts, reason, seenRejections } of all) {
    await insertPayee(db, id, about.now);
    await writeVersion(db, { id, version: 1, facts, by: about.by.walletAddress }, about.now);
    decided = await speak(db, { id, version: 1, facts, reason, seenRejections, deed: 'admit-payee' }, about);
  }
  return { decided, at: 0 };
}

/** Changes a record. What vouches for less takes effect at once; the rest as `create` does. */
export const change = (
  pool: Pool,
  { version, ...next }: New & { readonly version: number },
  about: About,
): Promise<PayeeDecided> =>
  onRecord(pool, next.id, about.now, async (db, row) =>
    newestOf(row).version === version ? changeIn(db, row, next, about) : { kind: 'stale' },
  );

/** The same within a transaction that has locked the records, of one that is not withdrawn. */
export async function changeIn(
  db: Queryable,
  row: PayeeRow,
  { id, facts, reason, seenRejections }: New,
  about: About,
): Promise<PayeeDecided> {
  const refused = await whyNot(db, facts, id, about.by);
  if (refused !== null) return refused;
  const next = newestOf(row).version + 1;
  // Whoever agreed to what was proposed did not agree to this.
  await forget(db, 'admit-payee', id);
  await writeVersion(db, { id, version: next, facts, by: about.by.walletAddress }, about.now);
  const less = row.admitted !== null && narrows(factsOf(row.shown), facts);
  const words = { id, version: next, facts, reason, seenRejections, deed: 'change-payee', less } as const;
  return speak(db, words, less ? { ...about, fourEyes: { ...about.fourEyes, required: false } } : about);
}

/** The second word on what is proposed, for the version that the operator has read. */
export const agreeTo = (
  pool: Pool,
  { id, version, reason, seenRejections }: Omit<New, 'facts'> & { readonly version: number },
  about: About,
): Promise<PayeeDecided> =>
  onRecord(pool, id, about.now, async (db, { proposal }) => {
    if (proposal === null) return { kind: 'settled' };
    if (proposal.version !== version) return { kind: 'stale' };
    const facts = factsOf(proposal);
    if (Date.parse(facts.validUntil) <= about.now.getTime()) return { kind: 'over' };
    const refused = await whyNot(db, facts, id, about.by);
    return refused ?? speak(db, { id, version, facts, reason, seenRejections, deed: 'admit-payee' }, about);
  });

/** Withdraws a record, for good. */
export const withdraw = (
  pool: Pool,
  { id, reason }: { readonly id: string; readonly reason: string },
  { by, now }: About,
): Promise<PayeeDecided> =>
  onRecord(pool, id, now, async (db, { shown }) => {
    await withdrawRecord(db, { id, by: by.walletAddress, reason }, now);
    await forget(db, 'admit-payee', id);
    const decision = { by: by.walletAddress, reason };
    await turnReviewsAway(
      db,
      shown.addresses.map(({ address }) => address),
      decision,
      now,
    );
    await putOnRecord(db, now, {
      deed: 'withdraw-payee',
      by,
      effective: true,
      wallet: null,
      payeeId: id,
      reason,
    });
    return { kind: 'done' };
  });

/** Work on a record that is not withdrawn, one after another. */
export const onRecord = <T>(
  pool: Pool,
  id: string,
  now: Date,
  work: (db: Queryable, row: PayeeRow) => Promise<T>,
): Promise<T | { readonly kind: 'not-found' | 'settled' }> =>
  inTransaction(pool, async (db) => {
    await lockPayees(db);
    const row = await findPayee(db, id, now);
    if (row === null) return { kind: 'not-found' };
    if (row.state === 'withdrawn') return { kind: 'settled' };
    return work(db, row);
  });

/** Nobody decides about oneself, and an address belongs to one record. */
async function whyNot(
  db: Queryable,
  facts: PayeeFacts,
  id: string | null,
  by: Account,
): Promise<PayeeDecided | null> {
  const own = (await ownsOneOf(db, by.id, facts)) || (id !== null && (await handedIn(db, by.id, id)));
  if (own) return { kind: 'oneself' };
  const claimed = await claimedByOther(db, facts, id);
  return claimed === null ? null : { kind: 'claimed', ...claimed };
}

type Words = New & {
  readonly version: number;
  readonly deed: 'admit-payee' | 'change-payee';
  /** It vouches for less than what counts: one operator is enough, and what its domain has taken back stays so. */
  readonly less?: boolean;
};

/** Counts an operator's word for a version, and admits it where that is enough. */
async function speak(
  db: Queryable,
  { id, version, facts, reason, deed, less = false, seenRejections = [] }: Words,
  { by, fourEyes, now }: About,
): Promise<PayeeDecided & { word?: Word }> {
  const word = { deed: 'admit-payee', subject: id, reason, by, seenRejections } as const;
  const agreement = await agree(db, fourEyes, word, now);
  if (agreement.kind === 'same-operator') return agreement;
  const effective = agreement.kind === 'agreed';
  const detail = { version, legalName: facts.legalName, domain: facts.domain };
  await putOnRecord(db, now, { deed, by, effective, wallet: null, payeeId: id, reason, detail });
  if (!effective) return agreement;
  await admitVersion(db, { id, version, facts });
  if (!less) {
    await forgetMarks(db, id);
    // Of two operators, what both have read.
    const { first } = agreement;
    const seen = seenRejections.filter((each) => first === null || first.seenRejections.includes(each));
    await liftRejections(db, id, { seen, now });
  }
  await admitReviews(
    db,
    facts.addresses.map(({ address }) => address),
    by.walletAddress,
    now,
  );
  return { kind: 'done' };
}

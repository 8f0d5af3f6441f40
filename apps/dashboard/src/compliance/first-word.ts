import type { Address } from '@countersign/protocol/address';
import type { LooseningDeed } from '@countersign/protocol/dashboard/correction-routes';
import { columnsAs, firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import type { Operators } from './operators.ts';

/** The first of two operators' decisions. */
export type Word = {
  readonly subject: string;
  readonly by: Address;
  readonly reason: string | null;
  readonly at: Date;
  /** Numbers of the noes of KYB providers that they have read. */
  readonly seenRejections: readonly number[];
};

/**
 * The subject of a decision: a submission to approve, a wallet to restore, an address to take off the deny
 * list.
 */
export type Proposal = {
  readonly deed: LooseningDeed;
  readonly subject: string;
  readonly reason: string | undefined;
  readonly by: Account;
  readonly seenRejections?: readonly number[];
};

/** Whether one operator decides, or two must agree. */
export type FourEyes = { readonly required: boolean; readonly operators: Operators };

export type Agreement =
  /** `first`: of two words; null where one is enough. */
  | { readonly kind: 'agreed'; readonly first: Word | null }
  | { readonly kind: 'first'; readonly word: Word }
  /** The second word was the first operator's again. */
  | { readonly kind: 'same-operator' };

/**
 * Counts an operator's word for something that lets somebody pay. The first word does not count once whoever said
 * it is no longer an operator, or has taken it back meanwhile. Runs in a transaction that has the subject for itself.
 */
export async function agree(
  db: Queryable,
  { required, operators }: FourEyes,
  proposal: Proposal,
  now: Date,
): Promise<Agreement> {
  const { deed, subject, reason = null, by, seenRejections = [] } = proposal;
  const earlier = required ? await wordOn(db, deed, subject) : null;
  const counts = earlier !== null && operators.has(earlier.by);
  if (counts && earlier.by === by.walletAddress) return { kind: 'same-operator' };
  if (!required || counts) {
    const stood = await forget(db, deed, subject);
    if (stood || !required) return { kind: 'agreed', first: earlier };
  }
  await rows(db, say, [deed, subject, reason, by.id, now, JSON.stringify(seenRejections)]);
  return { kind: 'first', word: { subject, by: by.walletAddress, reason, at: now, seenRejections } };
}

const say = statement(
  'first-word.say',
  `insert into dashboard.first_word (deed, subject, reason, said_by, said_at, seen_rejections) values ($1, $2, $3, $4, $5, $6)
   on conflict (deed, subject) do update set reason = $3, said_by = $4, said_at = $5, seen_rejections = $6`,
);

const take = statement<{ subject: string }>(
  'first-word.forget',
  'delete from dashboard.first_word where deed = $1 and subject = $2 returning subject',
);

/** False when nothing was said. */
export const forget = async (db: Queryable, deed: LooseningDeed, subject: string): Promise<boolean> =>
  (await firstRow(db, take, [deed, subject])) !== null;

const find = statement<Word>(
  'first-word.find',
  `select ${columnsAs({
    subject: 'w.subject',
    by: 'a.wallet_address',
    reason: 'w.reason',
    at: 'w.said_at',
    seenRejections: 'w.seen_rejections',
  } satisfies Record<keyof Word, string>)}
   from dashboard.first_word w join dashboard.account a on a.id = w.said_by
   where w.deed = $1 and w.subject = any($2::text[])`,
);

const wordOn = (db: Queryable, deed: LooseningDeed, subject: string): Promise<Word | null> =>
  firstRow(db, find, [deed, [subject]]);

/** Returns the first decision about each of these, by name; empty where one operator suffices. */
export async function wordsOn(
  db: Queryable,
  { required, operators }: FourEyes,
  deed: LooseningDeed,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Word>> {
  if (!required || subjects.length === 0) return new Map();
  const found = await rows(db, find, [deed, subjects]);
  return new Map(found.filter(({ by }) => operators.has(by)).map((word) => [word.subject, word]));
}

/** Returns it as the API shows it. */
export const showWord = (word: Word | undefined) =>
  word === undefined ? null : { by: word.by, reason: word.reason, at: word.at.toISOString() };

import type { Payee, PayeeFacts } from '@countersign/protocol/dashboard/payees';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { type FourEyes, wordsOn } from '../compliance/first-word.ts';
import type { Kyc } from '../compliance/kyc.ts';
import type { Sealer } from '../compliance/seal.ts';
import { whyNotDecided } from '../compliance/why-not.ts';
import type { SignedBy } from '../auth/wallet-signature.ts';
import type { FetchPublic } from '../fetch-public.ts';
import type { RandomBytes } from '../ids.ts';
import { refusal } from '../refusal.ts';
import type { PayeeDecided } from './decide.ts';
import { type PayeeRow, showPayee } from './payee.ts';
import { findPayee } from './store.ts';

export type PayeeParts = {
  readonly pool: Pool;
  readonly kyc: Kyc;
  /** Null where there is no key: then no file can be added. */
  readonly sealer: Sealer | null;
  readonly fourEyes: FourEyes;
  /** CAIP-2 id of the dashboard's own chain. */
  readonly chain: string;
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
  /** Fetches a record's domain file. */
  readonly fetchPublic: FetchPublic;
  readonly signedBy: SignedBy;
};

const maxValidMs = 3650 * 24 * 60 * 60_000;

/** Why a record may not end then; null where it may. */
export function whyNotInTime({ validUntil }: Pick<PayeeFacts, 'validUntil'>, now: Date): string | null {
  const end = Date.parse(validUntil);
  if (!(end > now.getTime())) return 'must be in the future';
  return end > now.getTime() + maxValidMs ? 'must be within ten years' : null;
}

export const notFound = () => refusal('BUSINESS_NOT_FOUND', 'record not found');

/** The refusal of a decision that changed nothing; null for one that did. */
export function whyNotAdmitted(decided: PayeeDecided) {
  switch (decided.kind) {
    case 'done':
    case 'first':
      return null;
    case 'claimed':
      return refusal('REPEATED_SUBMIT', `ADDRESS_CLAIMED: another record claims ${decided.address}`, {
        reason: 'ADDRESS_CLAIMED',
        address: decided.address,
        payeeId: decided.payeeId,
      });
    case 'stale':
      return refusal('REPEATED_SUBMIT', 'the record has changed since it was read');
    case 'over':
      return refusal('REPEATED_SUBMIT', 'its end is over: change the record to renew it');
    case 'not-found':
    case 'oneself':
    case 'same-operator':
    case 'settled':
      return whyNotDecided(decided, 'record not found', 'it has already been decided');
  }
}

export async function showAll(pool: Pool, fourEyes: FourEyes, items: readonly PayeeRow[]): Promise<Payee[]> {
  const waiting = items.filter(({ proposal }) => proposal !== null).map(({ id }) => id);
  const words = await wordsOn(pool, fourEyes, 'admit-payee', waiting);
  return items.map((row) => showPayee(row, words.get(row.id)));
}

/** A record as the API tells it; null where there is none. */
export async function showOne(pool: Pool, fourEyes: FourEyes, id: string, now: Date): Promise<Payee | null> {
  const row = await findPayee(pool, id, now);
  return row === null ? null : ((await showAll(pool, fourEyes, [row]))[0] ?? null);
}

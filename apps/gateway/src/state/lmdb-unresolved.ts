import type { Database } from 'lmdb';
import { isByPermit2, type PaymentEntry } from '../ports/payment-entry.ts';

/**
 * Payments of unknown outcome are listed by nonce; those by Permit2 in a list of their own. Older processes on the directory do not
 * know it: they would look for such a nonce at the token, where it is never used, and give back what was taken.
 */
export const unresolvedLists = ['unresolved', 'unresolved-by-permit2'] as const;

/** Inside a write transaction. */
export function listUnresolved(db: Database, entry: PaymentEntry): void {
  const [byToken, byPermit2] = unresolvedLists;
  void db.put([isByPermit2(entry) ? byPermit2 : byToken, entry.nonce], entry.nonce);
}

/** Inside a write transaction. */
export function unlistUnresolved(db: Database, nonce: string): void {
  for (const list of unresolvedLists) void db.remove([list, nonce]);
}

export const isUnresolved = (db: Database, nonce: string): boolean =>
  unresolvedLists.some((list) => db.doesExist([list, nonce]));

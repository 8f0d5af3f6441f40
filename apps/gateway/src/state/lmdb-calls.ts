import type { Database } from 'lmdb';
import type { CallsState, Claimed } from '../ports/calls.ts';
import type { Environment } from './environment.ts';
import { claimMs } from './forget.ts';
import { keep, type StoredCall } from './lmdb-kept.ts';

/** `holder` runs the call, alone until `heldUntil` (Unix ms). */
type Claim = { readonly callHash: string; readonly holder: string; readonly heldUntil: number };

/** Running calls and kept answers in LMDB. A claim need not outlive the machine: it is not waited for until it is on disk. */
export function lmdbCalls(
  db: Database,
  { durably, commit }: Pick<Environment, 'durably' | 'commit'>,
  now: () => number,
  self: string,
): CallsState {
  const claimOf = (key: string) => db.get(['claim', key]) as Claim | undefined;
  const isMine = (key: string): boolean => claimOf(key)?.holder === self;
  const hold = (key: string, callHash: string): void =>
    void db.put(['claim', key], { callHash, holder: self, heldUntil: now() + claimMs } satisfies Claim);
  const claim = (key: string, callHash: string): Claimed => {
    const running = claimOf(key);
    if (running !== undefined && running.heldUntil > now() && running.holder !== self)
      return { kind: running.callHash === callHash ? 'running' : 'conflict' };
    const stored = db.get(['call', key]) as StoredCall | undefined;
    if (stored !== undefined)
      return stored.callHash === callHash
        ? { kind: 'answered', answer: stored.envelope }
        : { kind: 'conflict' };
    hold(key, callHash);
    return { kind: 'mine' };
  };
  return {
    async recall(key, callHash) {
      const stored = db.get(['call', key]) as StoredCall | undefined;
      if (stored === undefined) return 'new';
      return stored.callHash === callHash ? stored.envelope : 'conflict';
    },
    remember: (key, callHash, envelope, forMs) =>
      durably(() => keep(db, key, { callHash, envelope, forgetAt: now() + forMs })),
    async claim(key, callHash) {
      let claimed: Claimed = { kind: 'mine' };
      await commit(() => {
        claimed = claim(key, callHash);
      });
      return claimed;
    },
    async isClaimed(key) {
      db.resetReadTxn();
      return (claimOf(key)?.heldUntil ?? 0) > now();
    },
    renew: (keys) =>
      commit(() => {
        for (const key of keys) if (isMine(key)) hold(key, claimOf(key)?.callHash ?? '');
      }),
    release: (key) =>
      commit(() => {
        if (isMine(key)) void db.remove(['claim', key]);
      }),
    ...lmdbOffers(db, durably, now, hold),
  };
}

/** Returns whether a process other than this one has claimed the key, now or last. */
export function isElsewhere(db: Database, key: string, self: string): boolean {
  const claim = db.get(['claim', key]) as Claim | undefined;
  return claim !== undefined && claim.holder !== self;
}

const lmdbOffers = (
  db: Database,
  durably: Environment['durably'],
  now: () => number,
  hold: (name: string, callHash: string) => void,
): Pick<CallsState, 'offer' | 'adopt'> => ({
  offer: (identity, name, forMs, kept) =>
    durably(() => {
      for (const key of offersOf(db, identity, 0)) if (key[3] === name) void db.remove(key);
      void db.put(['offer', identity, now() + forMs, name], true);
      if (kept === null) return;
      const { callHash, envelope, keptForMs, isRunning } = kept;
      keep(db, name, { callHash, envelope, forgetAt: now() + keptForMs });
      if (isRunning) hold(name, callHash);
    }),
  async adopt(identity) {
    // Mostly there is none: then nothing has to be written. Another process may have offered it a moment ago.
    db.resetReadTxn();
    if (offered(db, identity, now()) === undefined) return null;
    let name: string | null = null;
    await durably(() => {
      const key = offered(db, identity, now());
      if (key === undefined) return;
      void db.remove(key);
      name = key[3];
    });
    return name;
  },
});

type OfferKey = [string, string, number, string];

/** Those of an identity that stand after this Unix ms, the oldest first. */
const offersOf = (db: Database, identity: string, after: number, limit?: number): OfferKey[] =>
  Array.from(
    db.getKeys({
      start: ['offer', identity, after],
      end: ['offer', identity, Number.MAX_SAFE_INTEGER],
      ...(limit !== undefined && { limit }),
    }),
  ) as OfferKey[];

const offered = (db: Database, identity: string, now: number): OfferKey | undefined =>
  offersOf(db, identity, now, 1)[0];

/** Forgets claims that have run out, and offers that nobody took. Inside a write transaction. */
export function forgetRunning(db: Database, now: number, limit: number): void {
  const claims = Array.from(db.getRange({ start: ['claim', ''], end: ['claim', '\uffff'], limit }));
  for (const { key, value } of claims) if ((value as Claim).heldUntil <= now) void db.remove(key);
  const offers = Array.from(db.getKeys({ start: ['offer', ''], end: ['offer', '\uffff'] }));
  for (const key of offers as OfferKey[]) if (key[2] <= now) void db.remove(key);
}

import type { Recovery, RecoveryChange, RecoveryClaim } from '@countersign/protocol/dashboard/recovery';
import type { Queryable } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import * as store from './store.ts';

/** Delays in milliseconds. */
export type Delays = { readonly changeMs: number; readonly claimMs: number };

/** Returns an account's recovery state, as its people see it. */
export async function readRecovery(
  db: Queryable,
  { id, walletAddress }: Account,
  { changeMs, claimMs }: Delays,
  now: Date,
): Promise<Recovery> {
  const under = await readUnderWay(db, id, now);
  const namedBy = await Promise.all(
    (await store.listNamedBy(db, walletAddress, now)).map(async (each) => {
      const { change, claim } = await readUnderWay(db, each.accountId, now);
      return { walletAddress: each.walletAddress, since: each.since.toISOString(), change, claim };
    }),
  );
  const recovered = await store.listRecovered(db, id);
  return {
    ...under,
    namedBy,
    recovered: recovered.map(({ closedAt, ...each }) => ({ ...each, closedAt: closedAt.toISOString() })),
    delays: { changeSeconds: changeMs / 1000, claimSeconds: claimMs / 1000 },
  };
}

async function readUnderWay(db: Queryable, accountId: string, now: Date) {
  const { counting, change } = await store.readNamings(db, accountId, now);
  const claim = await store.findOpenClaim(db, accountId);
  const named = counting?.address ?? null;
  return {
    address:
      named === null || counting === null
        ? null
        : { walletAddress: named, since: counting.countsFrom.toISOString() },
    change: change && showChange(change),
    claim: claim && showClaim(claim),
  };
}

const showChange = ({ id, address, askedAt, countsFrom }: store.Naming): RecoveryChange => ({
  id,
  to: address,
  askedAt: askedAt.toISOString(),
  countsFrom: countsFrom.toISOString(),
});

const showClaim = ({ id, claimant, askedAt, dueAt }: store.OpenClaim): RecoveryClaim => ({
  id,
  walletAddress: claimant,
  askedAt: askedAt.toISOString(),
  dueAt: dueAt.toISOString(),
});

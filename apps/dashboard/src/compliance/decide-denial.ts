import type { Address } from '@countersign/protocol/address';
import { inTransaction, type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import type { Decided } from './decide-kyc.ts';
import { agree, forget, type FourEyes } from './first-word.ts';
import { putOnRecord } from './history.ts';
import { addToDenyList, isDenied, removeFromDenyList } from './sanctions-store.ts';

type Denial = { readonly address: Address; readonly reason: string };
type About = { readonly by: Account; readonly now: Date };

const lock = statement(
  'deny-list.lock',
  `select pg_advisory_xact_lock(hashtextextended('deny-list:' || $1, 0))`,
);

/** Nobody decides about oneself, and decisions about one address come one after another. */
async function aboutAddress(
  pool: Pool,
  address: Address,
  by: Account,
  work: (db: Queryable) => Promise<Decided>,
): Promise<Decided> {
  if (address === by.walletAddress) return { kind: 'oneself' };
  return inTransaction(pool, async (db) => {
    await rows(db, lock, [address]);
    return work(db);
  });
}

/** Denies an address at once. Who wanted it off the list has to say so again. */
export const deny = (pool: Pool, { address, reason }: Denial, { by, now }: About): Promise<Decided> =>
  aboutAddress(pool, address, by, async (db) => {
    await addToDenyList(db, { address, reason, by: by.id }, now);
    await forget(db, 'undeny', address);
    await putOnRecord(db, now, { deed: 'deny', by, effective: true, wallet: address, reason });
    return { kind: 'done' };
  });

/** Takes an address off the list: as one of two words where two have to agree. */
export const undeny = (
  pool: Pool,
  { address, reason }: Denial,
  fourEyes: FourEyes,
  { by, now }: About,
): Promise<Decided> =>
  aboutAddress(pool, address, by, async (db) => {
    if (!(await isDenied(db, address))) return { kind: 'not-found' };
    const agreement = await agree(db, fourEyes, { deed: 'undeny', subject: address, reason, by }, now);
    if (agreement.kind === 'same-operator') return agreement;
    const effective = agreement.kind === 'agreed';
    await putOnRecord(db, now, { deed: 'undeny', by, effective, wallet: address, reason });
    if (!effective) return agreement;
    await removeFromDenyList(db, address);
    return { kind: 'done' };
  });

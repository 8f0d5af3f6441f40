import type { Pool } from '@countersign/service/sql';
import type { KytList } from '../screening/ports.ts';
import { notListed, sanctioned } from '../screening/risk.ts';
import { findList, findListed, isFresh } from './sanctions-store.ts';

/**
 * KYT against the imported list of sanctioned addresses. It knows sanctions and nothing else: an address that is not
 * listed is `low`. An address is the same on every EVM chain.
 */
export const ofacSdn = (pool: Pool, now: () => Date): KytList => ({
  kind: 'list',
  id: 'ofac-sdn',

  async screen({ address }) {
    const list = await findListed(pool, address);
    if (list === null) return stale('no list of sanctioned addresses was imported');
    if (!isFresh(list, now())) return stale('the list of sanctioned addresses is older than 7 days');
    const { source, listDate, listed } = list;
    const risk = listed ? sanctioned : notListed;
    return { kind: 'screened', ...risk, source, listDate, requestId: null, raw: null };
  },

  async state() {
    const list = await findList(pool);
    if (list === null) return { source: null, listDate: null, addressCount: 0, fresh: false };
    const { source, listDate, addressCount } = list;
    return { source, listDate, addressCount, fresh: isFresh(list, now()) };
  },
});

const stale = (detail: string) => ({ kind: 'unavailable', why: 'stale-list', detail, raw: null }) as const;

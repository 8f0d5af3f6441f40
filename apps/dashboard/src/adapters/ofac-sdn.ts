import type { Pool } from '@countersign/service/sql';
import type { KytProvider, Screening } from '../compliance/ports.ts';
import { findList, lookUpAddress, type SanctionsList } from '../compliance/sanctions-store.ts';

const maxAgeMs = 7 * 24 * 60 * 60_000;

/**
 * KYT against the imported list of sanctioned addresses and the operators' own deny list. It knows sanctions and
 * nothing else: an address that is not listed is `low`. An address is the same on every EVM chain.
 */
export const ofacSdn = (pool: Pool, now: () => Date): KytProvider => ({
  name: 'ofac-sdn',

  async screen(address) {
    const [list, found] = await Promise.all([findList(pool), lookUpAddress(pool, address)]);
    if (found.denied) return reject;
    if (list === null) return { kind: 'unavailable', why: 'no list of sanctioned addresses was imported' };
    if (!isFresh(list, now()))
      return { kind: 'unavailable', why: 'the list of sanctioned addresses is older than 7 days' };
    return found.listed ? reject : pass;
  },

  async state() {
    const list = await findList(pool);
    if (list === null) return { source: null, listDate: null, addressCount: 0, fresh: false };
    const { source, listDate, addressCount } = list;
    return { source, listDate: listDate.toISOString(), addressCount, fresh: isFresh(list, now()) };
  },
});

const isFresh = (list: SanctionsList, now: Date): boolean =>
  now.getTime() - list.listDate.getTime() <= maxAgeMs;

const reject: Screening = { kind: 'screened', decision: 'reject', riskLevel: 'severe', riskScore: 100 };
const pass: Screening = { kind: 'screened', decision: 'pass', riskLevel: 'low', riskScore: 0 };

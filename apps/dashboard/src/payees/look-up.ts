import type { Address } from '@countersign/protocol/address';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import type { Kyc } from '../compliance/kyc.ts';
import { type Found, foundStanding, judgeStanding, type Validity } from '../compliance/standing.ts';
import type { Identity, Unavailable } from '../screening/ports.ts';
import { isVouchedFor, namedRow } from './vouching.ts';

type Parts = {
  readonly pool: Pool;
  readonly kyc: Kyc;
  readonly validity: Validity;
  /** CAIP-2 id of the dashboard's own chain. */
  readonly chain: string;
  readonly now: () => Date;
};

/**
 * Returns the identity of an address's owner for a gateway; if there is none, what a business record states.
 */
export type LookUpParty = (address: Address) => Promise<Identity | Unavailable>;

/**
 * A record says nothing against what is known of a person. Where operators review people, one short statement answers for
 * people and for payees that nothing but a record speaks of; whom else a record names, all that speaks against it is asked about.
 */
export const partyLookUp = ({ pool, kyc, validity, chain, now }: Parts): LookUpParty => {
  const withRecord = async (found: Identity, address: Address): Promise<Identity> =>
    (await isVouchedFor(pool, address, chain, now())) ? { ...found, status: 'approved' } : found;
  if (kyc.kind !== 'queue')
    return async (address) => {
      const found = await kyc.lookUp(address);
      return found.kind === 'unavailable' || found.status !== 'pending' ? found : withRecord(found, address);
    };
  return async (address) => {
    const found = await firstRow(pool, both, [address, chain, now()]);
    if (found === null) throw new Error('an outer join gave no row');
    const { known, doubtful, ...standing } = found;
    const status = known ? judgeStanding(standing, validity, now()).kycStatus : 'pending';
    const person: Identity = { kind: 'known', status, requestId: null };
    if (status !== 'pending' || doubtful === null) return person;
    return known || doubtful ? withRecord(person, address) : { ...person, status: 'approved' };
  };
};

/** `doubtful` is null where no record names the address. */
const both = statement<Found & { readonly known: boolean; readonly doubtful: boolean | null }>(
  'payee.look-up',
  `select f.newest, f."approvedAt", f.withdrawn, f.known is not null as known, (${namedRow}) as doubtful
   from (select) one left join lateral (select s.*, true as known from (${foundStanding}) s) f on true`,
);

import type { Address } from '@countersign/protocol/address';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import type { Kyc } from '../compliance/kyc.ts';
import { type Found, foundStanding, judgeStanding, type Validity } from '../compliance/standing.ts';
import type { Identity, Unavailable } from '../screening/ports.ts';
import { isVouchedFor, vouchingRow } from './vouching.ts';

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

/** A record says nothing against what is known of a person. Where operators review people, both are asked in one statement. */
export const partyLookUp = ({ pool, kyc, validity, chain, now }: Parts): LookUpParty =>
  kyc.kind === 'queue'
    ? async (address) => {
        const found = await firstRow(pool, both, [address, chain, now()]);
        if (found === null) throw new Error('an outer join gave no row');
        const { known, vouched, ...standing } = found;
        const { kycStatus } = known ? judgeStanding(standing, validity, now()) : nobody;
        return withRecord({ kind: 'known', status: kycStatus, requestId: null }, vouched);
      }
    : async (address) => {
        const found = await kyc.lookUp(address);
        if (found.kind === 'unavailable' || found.status !== 'pending') return found;
        return withRecord(found, await isVouchedFor(pool, address, chain, now()));
      };

const nobody = { kycStatus: 'pending' } as const;

const withRecord = (found: Identity, vouched: boolean): Identity =>
  found.status === 'pending' && vouched ? { ...found, status: 'approved' } : found;

const both = statement<Found & { readonly known: boolean; readonly vouched: boolean }>(
  'payee.look-up',
  `select f.newest, f."approvedAt", f.withdrawn, f.known is not null as known, exists (${vouchingRow}) as vouched
   from (select) one left join lateral (select s.*, true as known from (${foundStanding}) s) f on true`,
);

import type { Address } from '@countersign/protocol/address';
import type { Vouching } from '@countersign/protocol/dashboard/payees';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import { isRejected, rejectionsOf } from '../kyb/store.ts';
import { markOn, marksOf } from './check-domain.ts';
import { claimTable } from './store.ts';

/** Selects the last decision about the wallet's owner, here or by a vendor. An erasure leaves it in place. */
const decidedLast = `(
     select d.verdict from dashboard.account_wallet o cross join lateral (
       select coalesce(k.erased_status, k.status) as verdict, k.decided_at as at, k.seq
       from dashboard.kyc_submission k where k.account_id = o.account_id
       union all
       select s.verdict, s.screened_at, s.seq from dashboard.screening s where s.subject = o.account_id and s.kind = 'kyc'
     ) d where o.wallet = $1 and d.verdict in ('approved', 'rejected') order by d.at desc, d.seq desc limit 1)`;

/** SQL: a row where a record vouches for the address `$1` on the chain `$2` at the moment `$3`. */
const vouchingRow = `select from dashboard.payee_address p
   where p.address = $1 and p.valid_until > $3 and (p.networks is null or $2 = any(p.networks)) and not exists (
     select from dashboard.kyc_withdrawal w join dashboard.account_wallet o using (account_id) where o.wallet = $1)
   and ${decidedLast} is distinct from 'rejected'
   and not exists (${marksOf('p.payee_id', 'p.address')})
   and not exists (${rejectionsOf('p.payee_id')})`;

/**
 * SQL: a row where a record is for the address `$1` on the chain `$2` at the moment `$3`: whether anything is kept that may speak against
 * it. Where nothing is, and nobody has logged in with the address, it vouches, whatever a longer look would say.
 */
export const namedRow = `select exists (select from dashboard.agent_wallet g where g.wallet = $1 and g.signed_at is not null)
     or exists (select from dashboard.payee_proof f where f.payee_id = p.payee_id and f.address = $1 and f.mark is not null)
     or exists (select from dashboard.business_check c where c.payee_id = p.payee_id and c.status = 'rejected') as doubtful
   from dashboard.payee_address p where p.address = $1 and p.valid_until > $3 and (p.networks is null or $2 = any(p.networks))`;

const vouched = statement('payee.vouched', vouchingRow);

/**
 * Whether a valid record vouches for an address on this chain (CAIP-2 id), at this moment. None does where the person who
 * owns it was rejected and not approved since, whatever that person has handed in or erased, or an operator has withdrawn the
 * approval, nor where the record's domain takes back what it said of the address, or a provider says no about it. Agents are their owner's.
 */
export const isVouchedFor = async (
  db: Queryable,
  address: Address,
  chain: string,
  now: Date,
): Promise<boolean> => (await firstRow(db, vouched, [address, chain, now])) !== null;

type Claim = { readonly payeeId: string; readonly expired: boolean; readonly here: boolean };

const claim = statement<Claim>(
  'payee.claim-of',
  `select ${claimTable.list('payeeId')}, c.valid_until <= $3 as expired, c.networks is null or $2 = any(c.networks) as here
   from ${claimTable.from} where c.address = $1`,
);

type Named = { readonly payeeId: string; readonly withdrawn: boolean; readonly waits: boolean };

const named = statement<Named>(
  'payee.named',
  `select p.id as "payeeId", p.withdrawn_at is not null as withdrawn, v.version is not distinct from p.proposed as waits
   from dashboard.payee_version v join dashboard.payee p on p.id = v.payee_id
   where v.addresses @> jsonb_build_array(jsonb_build_object('address', $1::text))
   order by p.seq desc, v.version desc limit 1`,
);

/**
 * Returns what records state about an address, and which one states it. No vendor is asked about its owner.
 */
export async function recordOn(
  db: Queryable,
  address: Address,
  chain: string,
  now: Date,
): Promise<{ readonly vouching: Vouching; readonly payeeId: string | null }> {
  const claimed = await firstRow(db, claim, [address, chain, now]);
  if (claimed !== null) {
    const said = ofClaim(claimed);
    const stands = said !== 'VOUCHED' || (await isVouchedFor(db, address, chain, now));
    const why = stands ? said : await whyNotStanding(db, claimed.payeeId, address);
    return { vouching: why, payeeId: claimed.payeeId };
  }
  const found = await firstRow(db, named, [address]);
  if (found === null) return { vouching: 'NO_RECORD', payeeId: null };
  return { vouching: ofVersion(found), payeeId: found.payeeId };
}

async function whyNotStanding(db: Queryable, payeeId: string, address: Address): Promise<Vouching> {
  const mark = await markOn(db, payeeId, address);
  if (mark !== null) return mark;
  return (await isRejected(db, payeeId)) ? 'CHECK_REJECTED' : 'OWNER_NOT_APPROVED';
}

function ofClaim({ expired, here }: Claim): Vouching {
  if (expired) return 'RECORD_EXPIRED';
  return here ? 'VOUCHED' : 'OTHER_NETWORK';
}

function ofVersion({ withdrawn, waits }: Named): Vouching {
  if (withdrawn) return 'RECORD_WITHDRAWN';
  return waits ? 'RECORD_WAITING' : 'ADDRESS_CHANGED';
}

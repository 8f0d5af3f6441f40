import type { Address } from '@countersign/protocol/address';
import type { KycStatus } from '@countersign/protocol/dashboard/compliance';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import type { ReviewRecord } from './kyc-store.ts';

const dayMs = 24 * 60 * 60_000;
const renewableMs = 30 * dayMs;

/** So long an approval counts. */
export type Validity = { readonly days: number };

/** Until when an approval of that time counts; at this very moment it no longer does. */
export const endOf = (approvedAt: Date, { days }: Validity): Date =>
  new Date(approvedAt.getTime() + days * dayMs);

/** From 30 days before its end an approval may be renewed; a short one from its middle on. */
export const renewableFrom = (end: Date, { days }: Validity): Date =>
  new Date(end.getTime() - Math.min(renewableMs, (days * dayMs) / 2));

/** Until when a submission counts; null for what is not approved. */
export const validUntil = (
  { kycStatus, approvedAt }: Pick<ReviewRecord, 'kycStatus' | 'approvedAt'>,
  validity: Validity,
): Date | null => (kycStatus === 'approved' && approvedAt !== null ? endOf(approvedAt, validity) : null);

export type Standing = {
  readonly kycStatus: KycStatus;
  /** The end of the newest approval, past or future; null if there is none. */
  readonly validUntil: Date | null;
};

export type Found = {
  /** The newest submission's status; null if there is none, or it was erased on request. */
  readonly newest: KycStatus | null;
  /** When the newest approval was given that nobody withdrew. */
  readonly approvedAt: Date | null;
  readonly withdrawn: boolean;
};

/**
 * What operators have decided about a person, at this moment. An approval counts until its end, also while a renewal
 * waits or was rejected; then the person is as pending as someone who never handed anything in.
 */
export function judgeStanding(
  { newest, approvedAt, withdrawn }: Found,
  validity: Validity,
  now: Date,
): Standing {
  if (withdrawn) return { kycStatus: newest === 'pending' ? 'pending' : 'rejected', validUntil: null };
  const end = approvedAt === null ? null : endOf(approvedAt, validity);
  if (end !== null && now < end) return { kycStatus: 'approved', validUntil: end };
  return { kycStatus: newest === 'rejected' ? 'rejected' : 'pending', validUntil: end };
}

/** SQL: the row of a `Found` about whoever owns the wallet `$1`; none for nobody who has logged in. */
export const foundStanding = `select
     (select k.status from dashboard.kyc_submission k where k.account_id = a.id and k.erased_status is null
      order by k.seq desc limit 1) as newest,
     (select max(coalesce(k.approved_at, k.decided_at)) from dashboard.kyc_submission k
      where k.account_id = a.id and k.status = 'approved') as "approvedAt",
     exists (select from dashboard.kyc_withdrawal w where w.account_id = a.id) as withdrawn
   from dashboard.account a where a.wallet_address = $1`;

const find = statement<Found>('kyc.standing', foundStanding);

/** The standing of whoever owns this wallet; nobody who has logged in is pending. */
export async function standingOf(
  db: Queryable,
  wallet: Address,
  validity: Validity,
  now: Date,
): Promise<Standing> {
  const found = await firstRow(db, find, [wallet]);
  return found === null ? { kycStatus: 'pending', validUntil: null } : judgeStanding(found, validity, now);
}

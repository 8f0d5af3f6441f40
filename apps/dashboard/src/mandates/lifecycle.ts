import type { MandateNotFoundReason, MandateStatus } from '@countersign/protocol/dashboard/mandate';
import { refusal, type Refusal } from '../refusal.ts';

/** Also of a mandate of another account: nobody learns that it exists. */
export const noSuchMandate: Refusal = { code: 'MANDATE_NOT_FOUND', msg: 'mandate not found' };
export const whyNotFound = (status: MandateStatus | null): Refusal | null =>
  status === null ? noSuchMandate : null;

export const expired: Refusal = { code: 'MANDATE_EXPIRED', msg: 'the mandate has expired' };
export const exhausted: Refusal = { code: 'MANDATE_EXHAUSTED', msg: 'the mandate’s budget is used up' };

/** Why a mandate in this state (null: there is none) cannot be signed, or null when it can. */
export function whyNotSignable(status: MandateStatus | null): Refusal | null {
  switch (status) {
    case 'pending':
      return null;
    case 'active':
      return { code: 'REPEATED_SUBMIT', msg: 'the mandate is already active' };
    case 'expired':
      return expired;
    case 'exhausted':
      return exhausted;
    case 'revoked':
    case null:
      return noSuchMandate;
  }
}

/** Why a mandate in this state cannot be revoked, or null when it can. */
export function whyNotActive(status: MandateStatus | null): Refusal | null {
  switch (status) {
    case 'active':
      return null;
    case 'expired':
      return expired;
    case 'exhausted':
      return exhausted;
    case 'pending':
    case 'revoked':
    case null:
      return noSuchMandate;
  }
}

/** Why limits, budget or policy of a mandate in this state cannot be changed, or null when they can. */
export function whyNotChangeable(status: MandateStatus | null): Refusal | null {
  switch (status) {
    case 'pending':
    case 'active':
      return null;
    case 'expired':
      return expired;
    case 'exhausted':
      return exhausted;
    case 'revoked':
    case null:
      return noSuchMandate;
  }
}

/** Why a mandate in this state cannot be renewed, or null when it can. */
export function whyNotRenewable(status: MandateStatus | null): Refusal | null {
  switch (status) {
    case 'expired':
    case 'exhausted':
    case 'revoked':
      return null;
    case 'active':
      return { code: 'REPEATED_SUBMIT', msg: 'the mandate is active and needs no renewal yet' };
    case 'pending':
    case null:
      return noSuchMandate;
  }
}

/** Why a mandate in this state cannot be deleted, or null when it can. */
export function whyNotDeletable(status: MandateStatus | null): Refusal | null {
  switch (status) {
    case 'active':
      return { code: 'UNAUTHORIZED_OPERATION', msg: 'the mandate is active: revoke it first' };
    case 'pending':
    case 'expired':
    case 'exhausted':
    case 'revoked':
      return null;
    case null:
      return noSuchMandate;
  }
}

const dayMs = 24 * 60 * 60_000;

/** When a mandate ends that is valid for so many days from now. */
export const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs);

const reasons: Record<Exclude<MandateStatus, 'active'> | 'paused', MandateNotFoundReason> = {
  pending: 'MANDATE_PENDING',
  paused: 'MANDATE_PAUSED',
  expired: 'MANDATE_EXPIRED',
  exhausted: 'MANDATE_EXHAUSTED',
  revoked: 'MANDATE_REVOKED',
};

/**
 * The answer of `vc` when nothing can be spent: its `msg` names what became of the newest mandate. `hadMandate` is null
 * for whoever may not know.
 */
export const noActiveMandate = (
  newest: Exclude<MandateStatus, 'active'> | 'paused' | null,
  hadMandate: boolean | null,
) =>
  refusal('MANDATE_NOT_FOUND', newest === null ? 'MANDATE_NOT_FOUND' : reasons[newest], {
    found: false,
    mandate: null,
    remainingBudget: null,
    usagePercent: null,
    vcJson: null,
    hadMandate,
  });

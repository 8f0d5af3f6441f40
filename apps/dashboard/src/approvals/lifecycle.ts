import type { ApprovalState } from '@countersign/protocol/dashboard/approvals';
import type { Refusal } from '../refusal.ts';

/** Also of an approval of another account: nobody learns that it exists. */
export const noSuchApproval: Refusal = { code: 'BUSINESS_NOT_FOUND', msg: 'approval not found' };
const expired: Refusal = { code: 'MANDATE_EXPIRED', msg: 'the approval has expired' };
const settled = (state: ApprovalState): Refusal => ({
  code: 'REPEATED_SUBMIT',
  msg: `the approval is already ${state}`,
});

/** Why an approval in this state (null: there is none) can be neither approved nor rejected, or null when it can. */
export function whyNotDecidable(state: ApprovalState | null): Refusal | null {
  switch (state) {
    case 'pending':
      return null;
    case 'expired':
      return expired;
    case 'approved':
    case 'rejected':
    case 'used':
      return settled(state);
    case null:
      return noSuchApproval;
  }
}

/** Why an approval in this state cannot be used, or null when it can. A pending one can: its owner may have signed elsewhere. */
export function whyNotUsable(state: ApprovalState | null): Refusal | null {
  switch (state) {
    case 'pending':
    case 'approved':
      return null;
    case 'expired':
      return expired;
    case 'rejected':
    case 'used':
      return settled(state);
    case null:
      return noSuchApproval;
  }
}

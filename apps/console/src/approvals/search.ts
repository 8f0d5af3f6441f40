import type { ApprovalState } from '@countersign/protocol/dashboard/approvals';

/**
 * The states of approvals that have ended. Pending ones are the default view, which has no name in the
 * address.
 */
export const pastStates = [
  'approved',
  'used',
  'rejected',
  'expired',
] as const satisfies readonly ApprovalState[];

export type PastState = (typeof pastStates)[number];

export type ApprovalsSearch = {
  /** Absent: what waits for the owner. */
  readonly state?: PastState;
  readonly page?: number;
};

/** Reads the search parameters of the inbox; what does not fit is left out. */
export function readApprovalsSearch(search: Record<string, unknown>): ApprovalsSearch {
  const state = pastStates.find((each) => each === search['state']);
  const page = Number(search['page']);
  return {
    ...(state !== undefined && { state }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  };
}

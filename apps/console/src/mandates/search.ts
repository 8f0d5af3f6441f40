import type { MandateStatus } from '@countersign/protocol/dashboard/mandate';

/** The states of a mandate, in the order in which owners ask for them. */
export const mandateStates = [
  'active',
  'pending',
  'exhausted',
  'expired',
  'revoked',
] as const satisfies readonly MandateStatus[];

export type MandatesSearch = {
  /** Absent: all. */
  readonly status?: MandateStatus;
  readonly page?: number;
};

/** Reads the search parameters of the list; what does not fit is left out. */
export function readMandatesSearch(search: Record<string, unknown>): MandatesSearch {
  const status = mandateStates.find((state) => state === search['status']);
  const page = Number(search['page']);
  return {
    ...(status !== undefined && { status }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  };
}

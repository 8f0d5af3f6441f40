import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { ProblemError } from '../api/problem.ts';
import { ask } from '../api/queries.ts';
import { useMay } from '../session/session.ts';

/**
 * Queries one approval by id; null if the account has none with it. The API has no route for one, so the
 * pages are searched.
 */
export const approvalById = (approvalId: string) =>
  queryOptions<Approval | null, ProblemError>({
    queryKey: ['POST /api/approvals/list', { approvalId }],
    queryFn: async ({ signal }) => {
      for (let page = 1; ; page++) {
        const answer = await call('POST /api/approvals/list', { body: { page, limit: 100 } }, signal);
        if (!answer.ok) throw new ProblemError(answer.error);
        const found = answer.value.data.find((each) => each.approvalId === approvalId);
        if (found !== undefined) return found;
        if (page * 100 >= answer.value.total) return null;
      }
    },
  });

/** The first payments that wait for the owner, and how many there are; live events keep it true. */
export const waitingApprovals = ask('POST /api/approvals/list', { body: { state: 'pending', limit: 5 } });

/** Returns the number of payments that wait for the owner. */
export const usePaymentsWaiting = (): number | null =>
  useQuery({ ...waitingApprovals, enabled: useMay('listApprovals') }).data?.total ?? null;

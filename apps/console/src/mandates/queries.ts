import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { ProblemError } from '../api/problem.ts';
import { ask } from '../api/queries.ts';

/** The mandates from which payments are made: one for each wallet that pays. */
export const activeMandates = ask('POST /api/mandates/intent/list', {
  body: { status: 'active', limit: 100 },
});

/**
 * Queries one mandate by id; null if the account has none with it. The API has no route for one, so the pages
 * are searched.
 */
export const mandateById = (mandateId: string) =>
  queryOptions<Mandate | null, ProblemError>({
    queryKey: ['POST /api/mandates/intent/list', { mandateId }],
    queryFn: async ({ signal }) => {
      for (let page = 1; ; page++) {
        const answer = await call('POST /api/mandates/intent/list', { body: { page, limit: 100 } }, signal);
        if (!answer.ok) throw new ProblemError(answer.error);
        const found = answer.value.data.find(({ id }) => id === mandateId);
        if (found !== undefined) return found;
        if (page * 100 >= answer.value.total) return null;
      }
    },
  });

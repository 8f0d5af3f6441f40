import { approvalState } from '@countersign/protocol/dashboard/approvals';
import { expect, test } from 'vitest';
import { whyNotDecidable, whyNotUsable } from './lifecycle.ts';

const states = [...approvalState.options, null];
const codesOf = (rule: typeof whyNotUsable) =>
  Object.fromEntries(states.map((state) => [state, rule(state)?.code ?? 'may']));

test('only a pending approval can be decided; it and an approved one can be used [dashboard.approvals.states]', () => {
  const ended = {
    rejected: 'REPEATED_SUBMIT',
    expired: 'MANDATE_EXPIRED',
    used: 'REPEATED_SUBMIT',
    null: 'BUSINESS_NOT_FOUND',
  };
  expect(codesOf(whyNotDecidable)).toEqual({ pending: 'may', approved: 'REPEATED_SUBMIT', ...ended });
  expect(codesOf(whyNotUsable)).toEqual({ pending: 'may', approved: 'may', ...ended });
});

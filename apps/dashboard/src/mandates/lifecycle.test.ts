import { mandateStatus } from '@countersign/protocol/dashboard/mandate';
import { expect, test } from 'vitest';
import { noActiveMandate, whyNotActive, whyNotSignable } from './lifecycle.ts';

const states = [...mandateStatus.options, null];

test('only a pending mandate can be signed, only an active one revoked', () => {
  expect(Object.fromEntries(states.map((status) => [status, whyNotSignable(status)?.code ?? 'may']))).toEqual(
    {
      pending: 'may',
      active: 'REPEATED_SUBMIT',
      exhausted: 'MANDATE_EXHAUSTED',
      expired: 'MANDATE_EXPIRED',
      revoked: 'MANDATE_NOT_FOUND',
      null: 'MANDATE_NOT_FOUND',
    },
  );
  expect(Object.fromEntries(states.map((status) => [status, whyNotActive(status)?.code ?? 'may']))).toEqual({
    pending: 'MANDATE_NOT_FOUND',
    active: 'may',
    exhausted: 'MANDATE_EXHAUSTED',
    expired: 'MANDATE_EXPIRED',
    revoked: 'MANDATE_NOT_FOUND',
    null: 'MANDATE_NOT_FOUND',
  });
});

test('a look-up without an active mandate names what became of the newest', () => {
  expect(noActiveMandate('revoked', true).error).toEqual({
    code: 'MANDATE_NOT_FOUND',
    msg: 'MANDATE_REVOKED',
    data: {
      found: false,
      mandate: null,
      remainingBudget: null,
      usagePercent: null,
      vcJson: null,
      hadMandate: true,
    },
  });
  expect(noActiveMandate(null, false).error.msg).toBe('MANDATE_NOT_FOUND');
});

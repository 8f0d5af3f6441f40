import { expect, test } from 'vitest';
import { unknownReason, whys } from './why.ts';

test.each(['PAYMENT_REJECTED', 'SETTLEMENT_FAILED'])(
  'a signed payment that was answered with %s is told as one that can still be taken [dashboard.console.transactions.why]',
  (code) => {
    expect(whys[code]?.wayOut).toBe(
      'The payment may still go through in the next few minutes. Check here again before you pay again.',
    );
  },
);

test('an outcome that nobody knows promises no end of the search [dashboard.console.transactions.why]', () => {
  const { says, wayOut } = whys['PAYMENT_OUTCOME_UNKNOWN'] ?? { says: '', wayOut: '' };
  expect(says).toBe('It is not known yet whether it was paid');
  expect(wayOut).toBe(
    'This record is updated if the gateway finds out. Check your wallet before you pay again.',
  );
});

test('only a rejection with an unknown reason is called not paid [dashboard.console.transactions.why]', () => {
  expect(unknownReason('reject')).toMatch(/^Not paid\. /);
  expect(unknownReason('error')).toMatch(/^Failed\. /);
});

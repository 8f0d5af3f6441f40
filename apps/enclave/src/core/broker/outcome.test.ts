import { expect, test } from 'vitest';
import { outcomeOf, outcomes } from './outcome.ts';

const whole = { isWhole: true, isDocumented: false };
const cut = { isWhole: false, isDocumented: false };
const documented = { isWhole: true, isDocumented: true };

/** Each row of the table at both its ends, and what lies beside it. */
test.each([
  [0, whole, 200, 'done'],
  [0, whole, 299, 'done'],
  [0, documented, 204, 'done'],
  [1, whole, 300, 'not_done', 'not_followed'],
  [1, whole, 399, 'not_done', 'not_followed'],
  [1, cut, 308, 'not_done', 'not_followed'],
  [2, documented, 400, 'not_done', 'target_error'],
  [2, documented, 429, 'not_done', 'target_error'],
  [2, documented, 503, 'not_done', 'target_error'],
  [2, documented, 599, 'not_done', 'target_error'],
  [3, whole, 408, 'unclear'],
  [3, cut, 408, 'unclear'],
  [4, whole, 429, 'unclear'],
  [5, whole, 400, 'not_done', 'target_error'],
  [5, whole, 407, 'not_done', 'target_error'],
  [5, whole, 409, 'not_done', 'target_error'],
  [5, cut, 422, 'not_done', 'target_error'],
  [5, whole, 499, 'not_done', 'target_error'],
  [6, whole, 501, 'not_done', 'target_error'],
  [7, whole, 505, 'not_done', 'target_error'],
  [8, cut, 200, 'unclear'],
  [8, cut, 204, 'unclear'],
  [8, whole, 500, 'unclear'],
  [8, whole, 502, 'unclear'],
  [8, whole, 503, 'unclear'],
  [8, whole, 504, 'unclear'],
  [8, whole, 599, 'unclear'],
  [8, whole, 600, 'unclear'],
  [8, documented, 999, 'unclear'],
  [8, whole, 199, 'unclear'],
  [8, whole, 0, 'unclear'],
  [8, cut, null, 'unclear'],
] as const)('row %i: of %o the status %s is %s %s [control-plane.execution.outcome]', (...row) => {
  const [index, came, status, means, code] = row;
  const outcome = outcomeOf({ ...came, status });
  expect(outcome).toBe(outcomes[index]);
  expect(outcome).toMatchObject({ means, ...(code !== undefined && { code }) });
});

test('the last row is for everything, so that nothing goes without a meaning', () => {
  expect(outcomes.at(-1)).toEqual({ status: null, means: 'unclear' });
});

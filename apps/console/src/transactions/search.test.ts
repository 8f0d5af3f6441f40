import { expect, test } from 'vitest';
import { countFilters, filterOf, readTransactionsSearch } from './search.ts';

const now = new Date(2026, 10, 21, 15);

test('a range of days goes from the start of the first to the end of the last, in the reader’s zone [dashboard.console.transactions.filter]', () => {
  const search = readTransactionsSearch({ from: '2026-10-30', to: '2026-11-01' });
  expect(filterOf(search, now)).toEqual({
    scope: 'myAll',
    startDate: new Date(2026, 9, 30).toISOString(),
    endDate: new Date(2026, 10, 2).toISOString(),
  });
  expect(countFilters(search)).toBe(1);
});

test.each([
  [{ from: '2026-11-05' }, { from: '2026-11-05' }],
  [{ to: '2026-11-05' }, { to: '2026-11-05' }],
  [{ from: '2026-11-05', period: 'week' }, { from: '2026-11-05' }],
  [{ from: '2026-02-30', to: 'yesterday', period: 'week' }, { period: 'week' }],
  [{ from: '2026-11-05', to: '2026-11-04' }, { from: '2026-11-05' }],
])('what does not fit a range is left out: %j [dashboard.console.transactions.filter]', (search, read) => {
  expect(readTransactionsSearch(search)).toEqual(read);
});

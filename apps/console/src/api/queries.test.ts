import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { createQueries, refresh } from './queries.ts';

test('what is of everybody is asked for only when somebody looks: neither by an event nor by coming back [dashboard.console.transactions.everybody]', async () => {
  const queries = createQueries(() => {});
  queries.mount();
  onTestFinished(() => {
    queries.unmount();
    focusManager.setFocused(undefined);
  });
  const asked: string[] = [];
  for (const [name, query] of Object.entries({ own: { page: 1 }, everybody: { page: 1, scope: 'all' } })) {
    const observer = new QueryObserver(queries, {
      queryKey: ['GET /api/transactions', { query }],
      queryFn: () => asked.push(name),
      staleTime: 0,
    });
    onTestFinished(observer.subscribe(() => {}));
    await observer.refetch({ cancelRefetch: false });
  }
  expect(asked).toEqual(['own', 'everybody']);
  await refresh(queries, '/api/transactions');
  await refresh(queries, '/api/');
  expect(asked).toEqual(['own', 'everybody', 'own', 'own']);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await expect.poll(() => asked.length).toBe(5);
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
  await expect.poll(() => asked.length).toBe(6);
  await expect.poll(() => queries.isFetching()).toBe(0);
  expect(asked.filter((name) => name === 'everybody')).toHaveLength(1);
});
